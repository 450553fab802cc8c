/* Every remark that Trilobite makes about images: the documentation is made from here. */
#include "image/image.h"

const trilo_rule tl_image_rules[TL_IMAGE_RULE_COUNT] = {
    [TL_IMAGE_R_UNKNOWN] = {"IMAGE-UNKNOWN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                            "A file is no image that Trilobite reads: PNG, JPEG or a sprite of libdragon.",
                            "Convert it to PNG, or make a sprite of it with mksprite."},
    [TL_IMAGE_R_TRUNCATED] = {"IMAGE-TRUNCATED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                              "An image file ends before its pixels do.",
                              "The file was cut short or is damaged: get it again, or make it again."},
    [TL_IMAGE_R_BROKEN] = {"IMAGE-BROKEN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                           "An image file does not keep the rules of its format.",
                           "Make the image again; an image program may be able to save it anew."},
    [TL_IMAGE_R_EMPTY] = {"IMAGE-EMPTY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                          "An image is 0 pixels wide or high.", "Make the image again, with a size."},
    [TL_IMAGE_R_LIMIT] = {"IMAGE-LIMIT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                          "An image has more pixels than Trilobite draws with.",
                          "Scale it down: 4096 by 4096 pixels are read, and the console has room for far fewer."},
    [TL_IMAGE_R_LIBRARY] = {"IMAGE-LIBRARY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                            "This Trilobite was built without the library for that kind of image.",
                            "Install libspng-dev, libturbojpeg0-dev or libgif-dev, and build Trilobite again."},
    [TL_IMAGE_R_FRAMES] = {"IMAGE-FRAMES", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                           "A moving picture has frames of different sizes.",
                           "Make all frames with the size of the first."},
};
