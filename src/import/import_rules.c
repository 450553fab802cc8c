/* Every finding about imported models: the documentation is made from here. */
#include "import/import.h"

const trilo_rule tl_import_rules[TL_IMPORT_RULE_COUNT] = {
    [TL_IMPORT_R_FAILED] = {"IMPORT-FAILED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                            "Assimp, which reads models of other programs, cannot read the file.",
                            "Export the model again, best as glTF (.glb), which is read without Assimp."},
    [TL_IMPORT_R_LOST] = {"IMPORT-LOST", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS,
                          "A part of the model is not imported.",
                          "Nothing to do if the game does not need it. Otherwise export the model as glTF (.glb)."},
    [TL_IMPORT_R_LOST_LIGHTS] = {"IMPORT-LOST-LIGHTS", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_LOSS,
                                 "Lights are not imported; their nodes are.",
                                 "Nothing to do: the game sets the lights."},
    [TL_IMPORT_R_LOST_CAMERAS] = {"IMPORT-LOST-CAMERAS", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_LOSS,
                                  "Cameras are not imported; their nodes are.",
                                  "Nothing to do: the game sets the camera."},
    [TL_IMPORT_R_UNITS] =
        {"IMPORT-UNITS", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_ADVICE,
         "The file does not state its unit, so one meter is assumed. STL and PLY files do not state which axis "
         "is up either, so y is assumed.",
         "Scale the result (--scale) if it is too large or too small. If it lies on its back, export "
         "it again with y up."},
};
