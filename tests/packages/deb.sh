#!/bin/sh
# The Debian packages: lintian has nothing to say, and installed together in a folder of their own the program runs, a program compiles against the library, and the file types are known.
set -eu
build=$1 work=$2
root=$build/..
command -v lintian > /dev/null || { echo "there is no lintian"; exit 77; }
packages=$(ls "$build"/release/*.deb) || { echo "there is no Debian package in build/release"; exit 77; }

echo "--- lintian"
# shellcheck disable=SC2086
lintian --fail-on error,warning --allow-root $packages
# Libraries that are loaded when they are needed are recommended; meshoptimizer, which reads compressed glTF, is a dependency.
dpkg-deb -f "$build"/release/trilobite_*.deb Depends | grep -qw libmeshoptimizer2d
dpkg-deb -f "$build"/release/libtrilobite0.2_*.deb Depends | grep -qw libmeshoptimizer2d
dpkg-deb -f "$build"/release/trilobite_*.deb Recommends | grep -qx 'libassimp5, libmicrohttpd12'

echo "--- installed"
mkdir -p system/var/lib/dpkg/updates system/var/lib/dpkg/info
: > system/var/lib/dpkg/status
# The packages that they depend on are those of this machine.
# shellcheck disable=SC2086
dpkg --root="$work/system" --force-depends --force-not-root --force-script-chrootless -i $packages 2> dpkg.txt || { cat dpkg.txt; exit 1; }
dpkg --root="$work/system" -l | grep -c '^ii.*trilobite' | grep -qx 3
for dependency in $(dpkg-query --admindir="$work/system/var/lib/dpkg" -W -f='${Depends}, ' | sed 's/([^)]*)//g; s/|[^,]*//g; s/,/ /g'); do
    case $dependency in *trilobite*) ;; *) dpkg-query -W "$dependency" > /dev/null ;; esac
done
usr=$work/system/usr
"$build/trilobite-mascot" hero.glb
"$usr/bin/trilobite" convert -q hero.glb hero.t3dm
mkdir other
"$build/trilobite" convert -q hero.glb other/hero.t3dm
cmp hero.t3dm other/hero.t3dm
"$usr/bin/gltf_to_t3d" hero.glb again.t3dm
[ -s again.t3dm ]
[ -s "$usr/share/man/man1/trilobite-convert.1.gz" ]
cp "$root/tests/install/main.c" .
# shellcheck disable=SC2046
cc main.c -o main $(PKG_CONFIG_PATH=$usr/lib/pkgconfig pkg-config --cflags --libs trilobite)
LD_LIBRARY_PATH=$usr/lib ./main

echo "--- thumbnails and types"
if command -v update-mime-database > /dev/null && command -v gio > /dev/null; then
    XDG_DATA_DIRS=$usr/share update-mime-database "$usr/share/mime" 2> mime.txt || { cat mime.txt; exit 1; }
    [ ! -s mime.txt ] || { cat mime.txt; exit 1; }
    "$build/trilobite-mascot" hero.nlm
    "$build/trilobite" convert -q hero.nlm hero.model --scale 64
    for file in hero.t3dm=x-t3dm hero.nlm=x-nlm hero.model=x-model64; do
        got=$(XDG_DATA_HOME=$work/none XDG_DATA_DIRS=$usr/share:/usr/share gio info -a standard::content-type "${file%=*}" |
            sed -n 's/.*content-type: //p')
        [ "$got" = "model/${file#*=}" ] || { echo "$file is $got"; exit 1; }
    done
    cp hero.t3dm nameless # by its first bytes
    XDG_DATA_HOME=$work/none XDG_DATA_DIRS=$usr/share:/usr/share gio info -a standard::content-type nameless | grep -q 'content-type: model/x-t3dm$'
    for magic in x-t3dm x-nlm x-model64; do grep -aq "model/$magic\]" "$usr/share/mime/magic"; done
fi
entry=$usr/share/thumbnailers/trilobite.thumbnailer
exec_line=$(sed -n 's/^Exec=//p' "$entry")
for type in $(sed -n 's/^MimeType=//p' "$entry" | tr ';' ' '); do # each type is one that the desktop knows
    grep -q "type=\"$type\"" "$usr/share/mime/packages/trilobite.xml" /usr/share/mime/packages/freedesktop.org.xml || { echo "$type is unknown"; exit 1; }
done
for model in hero.t3dm hero.glb; do
    rm -f thumb.png
    command=$(echo "$exec_line" | sed "s,%s,128,g; s,%o,$work/thumb.png,; s,%i,$work/$model,; s,%u,file://$work/$model,")
    PATH=$usr/bin:$PATH sh -c "$command"
    # 128 by 128, as the head of the PNG file says
    [ "$(od -An -tx1 -j16 -N8 thumb.png | tr -d ' ')" = 0000008000000080 ]
done
