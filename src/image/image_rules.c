/* Every finding about images: the documentation is made from here. */
#include "image/image.h"

const trilo_rule tl_image_rules[TL_IMAGE_RULE_COUNT] = {
    [TL_IMAGE_R_UNKNOWN] = {"IMAGE-UNKNOWN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                            "The file is not an image that Trilobite reads: PNG, JPEG or a sprite of libdragon.",
                            "Convert it to PNG, or make a sprite with mksprite."},
    [TL_IMAGE_R_TRUNCATED] = {"IMAGE-TRUNCATED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                              "An image file ends before its last pixel.",
                              "The file is truncated or damaged. Get it or export it again."},
    [TL_IMAGE_R_BROKEN] = {"IMAGE-BROKEN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                           "An image file violates its format.",
                           "Export the image again. An image editor may be able to open and save it."},
    [TL_IMAGE_R_EMPTY] = {"IMAGE-EMPTY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                          "An image is 0 pixels wide or high.", "Export the image again."},
    [TL_IMAGE_R_LIMIT] = {"IMAGE-LIMIT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                          "An image has more pixels than Trilobite accepts.",
                          "Scale it down. The limit is 4096 by 4096 pixels, far more than the console can use."},
    [TL_IMAGE_R_LIBRARY] =
        {"IMAGE-LIBRARY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
         "This build of Trilobite does not include the library for that kind of image.",
         "Install libspng-dev (or libpng-dev, with -DTRILO_LIBPNG=ON) or libturbojpeg0-dev, and rebuild Trilobite."},
    [TL_IMAGE_R_FRAMES] = {"IMAGE-FRAMES", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                           "The frames of an animated image differ in size.", "Give all frames the size of the first."},
    [TL_IMAGE_R_SPRITE] = {"IMAGE-SPRITE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                           "The image cannot be stored as a sprite with these options.",
                           "Choose another texel format, or make the image smaller."},
};
