# cmake -DIN=FILE -DOUT=FILE -P embed.cmake: the bytes of a file as the content of a C array.
file(READ ${IN} bytes HEX)
# 32 bytes a line; then each byte as a number.
string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "${bytes}\n")
