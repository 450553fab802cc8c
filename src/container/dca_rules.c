/* Every finding about compressed assets: the documentation is made from here. */
#include "container/dca.h"

const trilo_rule tl_dca_rules[TL_DCA_RULE_COUNT] = {
    [TL_DCA_R_TRUNCATED] = {"DCA-TRUNCATED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                            "The file ends inside its header or its payload, or the payload has no end marker.",
                            "The file is truncated or damaged. Get it again, or compress the asset again."},
    [TL_DCA_R_HEADER] = {"DCA-HEADER", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                         "The header of a compressed asset is invalid.",
                         "The file is damaged or not a compressed asset. Compress the asset again."},
    [TL_DCA_R_VERSION] = {"DCA-VERSION", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                          "The version of a compressed asset is neither 3 nor 5.",
                          "Compress the asset again with a libdragon of 2024 or later."},
    [TL_DCA_R_LEVEL] = {"DCA-LEVEL", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                        "The compression level is not 1 (LZ4), 2 (aPLib) or 3 (Shrinkler).",
                        "The file is damaged, or from a newer libdragon. Compress the asset again."},
    [TL_DCA_R_STREAM] =
        {"DCA-STREAM", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
         "The payload copies from before the start of the output, or contains a number larger than any file.",
         "The file is damaged. Compress the asset again."},
    [TL_DCA_R_SIZE] = {"DCA-SIZE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                       "A size in the header of a compressed asset does not match the file.",
                       "Bytes were added or lost, or the header is damaged. Compress the asset again."},
    [TL_DCA_R_MARGIN] =
        {"DCA-MARGIN", TRILO_SEVERITY_CRASH, TRILO_FINDING_KIND_STRUCTURE,
         "The in-place margin is too small: the console would overwrite compressed bytes before it reads them.",
         "Compress the asset again. No tool of libdragon writes such a file."},
    [TL_DCA_R_WINDOW] = {"DCA-WINDOW", TRILO_SEVERITY_CRASH, TRILO_FINDING_KIND_STRUCTURE,
                         "A match in a stream refers to data before the window given in the header, outside the ring "
                         "buffer of the console.",
                         "Compress the stream again with a larger window, or leave it uncompressed."},
    [TL_DCA_R_STREAMED] =
        {"DCA-STREAMED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
         "A stream is compressed with level 3 in a DCA3 file. The libdragon that reads DCA3 halts on such a stream.",
         "Compress the stream with level 1 or 2, or leave it uncompressed."},
    [TL_DCA_R_NO_LZ4] =
        {"DCA-NO-LZ4", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
         "This build of Trilobite cannot compress: it does not include liblz4.",
         "Write the file uncompressed, which every libdragon loads, or install liblz4-dev and rebuild."},
};
