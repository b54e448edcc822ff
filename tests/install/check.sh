#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs into temporary prefixes, uses what was installed as a stranger would, uninstalls.
# Also: two builds in different folders are the same, and the Debian package has what it should.
set -u
: "${DPACCT_BUILD:?the build folder}" "${DPACCT_SOURCE:?the source folder}"
# shellcheck source=tests/install/tap.sh
. "$DPACCT_SOURCE/tests/install/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DESTDIR PKG_CONFIG_PATH LD_LIBRARY_PATH
example=$DPACCT_SOURCE/examples/library
version=$(sed -n 's/^#define DPACCT_VERSION "\(.*\)"/\1/p' "$DPACCT_SOURCE/include/dpacct/dpacct.h")
shared=libdpacct.so.1.$version

expected='spent    epsilon = 2.296740048 at delta = 1e-6
budget   epsilon = 3 is kept
refused  sigma has a decimal comma; write a point, such as 0.1'

# listing PREFIX: every file and link below it, sorted
listing() {
    (cd "$1" && find . \( -type f -o -type l \) | LC_ALL=C sort)
}

runs() {
    same "$expected" "$(LD_LIBRARY_PATH=${2:-} "$1")"
}

# The output in docs/library.md is the one expected here.
documented() {
    same "$expected" "$(awk '/^```text$/ { inside = 1; next } /^```$/ { inside = 0 } inside' \
        "$DPACCT_SOURCE/docs/library.md")"
}

# Every function that answers a question stands in docs/library.md, by name.
answers_are_documented() {
    missing=$(cat "$DPACCT_SOURCE"/include/dpacct/*.h |
        sed -n 's/^DP_API dp_status \(dp_[a-z_]*\)(dp_result .*/\1/p' | sort -u |
        while read -r name; do
            grep -q "\`$name\`" "$DPACCT_SOURCE/docs/library.md" || echo "$name"
        done)
    same "" "$missing"
}

# with_pkg_config PREFIX OUT FLAGS...: compiles the example; FLAGS may hold --static and -static
with_pkg_config() {
    prefix=$1 out=$2 ask=$3
    shift 3
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig \
        cc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror "$@" "$example/spend.c" \
        $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config $ask --cflags --libs dpacct) -o "$out"
}

# The smallest program: a question as JSON.
asks() {
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$1/lib/pkgconfig \
        cc -std=c11 -Wall -Wextra -Wpedantic -Werror "$example/ask.c" \
        $(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --cflags --libs dpacct) \
        -Wl,-rpath,"$1/lib" -o "$work/ask" &&
        question='{"command": "bagging-with", "n": 60000, "k": 300}' &&
        same "$(echo "$question" | "$1/bin/dpacct" batch)" "$("$work/ask" "$question")" &&
        status_is 1 "$work/ask" '{}' >"$work/ask.out" && grep -q '"error":' "$work/ask.out"
}

# The typed calls, which need the headers of GMP and MPFR.
typed() {
    # shellcheck disable=SC2046
    PKG_CONFIG_PATH=$1/lib/pkgconfig \
        cc -std=c11 -Wall -Wextra -Wpedantic -Wconversion -Werror "$example/typed.c" \
        $(PKG_CONFIG_PATH=$1/lib/pkgconfig pkg-config --cflags --libs dpacct) \
        -Wl,-rpath,"$1/lib" -o "$work/typed.run" &&
        same "delta in [4.987562266e-3, 4.987562267e-3] by bagging-with-exact (exact)" \
            "$("$work/typed.run")"
}

with_cmake() {
    cmake -S "$example" -B "$2" -DCMAKE_PREFIX_PATH="$1" && cmake --build "$2"
}

# The version file must refuse a newer minor version.
refuses_newer() {
    mkdir -p "$work/newer" &&
        printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'project(newer LANGUAGES C)' \
            'find_package(dpacct 0.99 QUIET)' 'if(dpacct_FOUND)' \
            '  message(FATAL_ERROR "found")' 'endif()' >"$work/newer/CMakeLists.txt" &&
        cmake -S "$work/newer" -B "$work/newer/build" -DCMAKE_PREFIX_PATH="$1"
}

soname() {
    readelf -d "$1" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p'
}

links_are_right() {
    same libdpacct.so.1 "$(soname "$1/$shared")" &&
        same libdpacct.so.1 "$(readlink "$1/libdpacct.so")" &&
        same "$shared" "$(readlink "$1/libdpacct.so.1")" &&
        [ -f "$1/$shared" ] && [ ! -L "$1/$shared" ] &&
        grep -qF "\`$shared\`" "$DPACCT_SOURCE/docs/library.md"
}

# Exactly the functions that the headers declare.
exports_are_declared() {
    declared=$(sed -n 's/^DP_API .*[ *]\(dp_[a-z0-9_]*\)(.*/\1/p' "$2"/*.h | LC_ALL=C sort)
    [ "$(printf '%s\n' "$declared" | wc -l)" -gt 20 ] &&
        same "$declared" "$(nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort)"
}

# Nothing of the library's inside can meet the symbols of whoever links the archive.
archive_is_closed() {
    same "" "$(nm -g --defined-only "$1" | awk 'NF == 3 && $3 !~ /^dp_/ { print $3 }')" &&
        [ "$(nm -g --defined-only "$1" | grep -c ' T dp_')" -gt 20 ]
}

# The archive is one object of ours: marked where the compiler can mark the targets of branches.
# A whole program is marked only where the C library is too.
branches_are_protected() {
    echo 'int here;' >"$work/branch.c"
    cc -fcf-protection=full -c "$work/branch.c" -o "$work/branch.o" 2>/dev/null || return 0
    same "$(readelf -n "$work/branch.o" | grep 'x86 feature')" \
        "$(readelf -n "$1" | grep 'x86 feature')"
}

# A library that is too old is refused by name before anything is compiled.
refuses_old_numbers() {
    mkdir -p "$work/old" && printf '%s\n' '#define MPFR_VERSION_MAJOR 4' \
        '#define MPFR_VERSION_MINOR 0' '#define MPFR_VERSION_PATCHLEVEL 2' >"$work/old/mpfr.h" &&
        ! cmake -S "$work/a copy" -B "$work/old/build" -DDPACCT_TESTS=OFF \
            -DMPFR_INCLUDE_DIR="$work/old" >"$work/old/log" 2>&1 &&
        grep -q 'MPFR 4.0.2 is too old' "$work/old/log"
}

# needs FILE: the names of the libraries that it asks for
needs() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | LC_ALL=C sort | tr '\n' ' '
}

links_shared() {
    case " $(needs "$1")" in *" libdpacct.so.1 "*) ;; *) needs "$1"; return 1 ;; esac
}

man_is_clean() {
    same "" "$(man --warnings -l "$1" 2>&1 >/dev/null)"
}

hardened() {
    readelf -h "$1" | grep -q 'Type: *DYN' && readelf -d "$1" | grep -q 'BIND_NOW' &&
        readelf -lW "$1" | grep -q GNU_RELRO && readelf -lW "$1" | grep 'GNU_STACK' | grep -qv 'RWE' &&
        nm -D "$1" | grep -q __stack_chk_fail
}

has_files() {
    for file in bin/dpacct include/dpacct/dpacct.h lib/libdpacct.a lib/pkgconfig/dpacct.pc \
        lib/cmake/dpacct/dpacctConfig.cmake share/man/man1/dpacct.1 \
        share/man/man1/dpacct-compose.1 share/man/man5/dpacct-ledger.5 share/man/man5/dpacct-json.5 \
        share/bash-completion/completions/dpacct share/zsh/site-functions/_dpacct \
        share/fish/vendor_completions.d/dpacct.fish share/doc/dpacct/README.md \
        share/doc/dpacct/LICENSE share/doc/dpacct/docs/certified.md \
        share/doc/dpacct/examples/library/spend.c share/dpacct/schema/dpacct-1.schema.json; do
        [ -s "$1/$file" ] || { echo "missing: $file"; return 1; }
    done
}

# Every header compiles alone, as C and as C++ where there is a compiler for it.
headers_stand_alone() {
    for header in "$1"/include/dpacct/*.h; do
        echo "#include <dpacct/${header##*/}>" >"$work/one.c" &&
            cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I "$1/include" -fsyntax-only \
                "$work/one.c" || return 1
        command -v c++ >/dev/null || continue
        c++ -x c++ -Wall -Wextra -Werror -I "$1/include" -fsyntax-only "$work/one.c" || return 1
    done
}

install_to() {
    cmake --install "$1" --prefix "$2"
}

# After an uninstall no file and no folder of ours is left.
uninstall_from() {
    cmake --build "$1" --target uninstall &&
        same "" "$(find "$2" \( -type f -o -type l -o -name '*dpacct*' \))"
}

# A stranger's file in our folders survives.
spares_strangers() {
    install_to "$1" "$2" >/dev/null && touch "$2/share/doc/dpacct/theirs" &&
        cmake --build "$1" --target uninstall >/dev/null &&
        same ./share/doc/dpacct/theirs "$(listing "$2")"
}

destdir() {
    DESTDIR=$work/dest cmake --install "$DPACCT_BUILD" --prefix /opt/x &&
        same "$(listing "$work/shared")" "$(listing "$work/dest/opt/x")" &&
        grep -qx 'prefix=/opt/x' "$work/dest/opt/x/lib/pkgconfig/dpacct.pc" &&
        DESTDIR=$work/dest cmake --build "$DPACCT_BUILD" --target uninstall &&
        same "" "$(find "$work/dest" \( -type f -o -type l -o -name '*dpacct*' \))"
}

copy_source() {
    mkdir -p "$1" && (cd "$DPACCT_SOURCE" &&
        tar -cf - CMakeLists.txt README.md LICENSE include src docs examples) | tar -xf - -C "$1"
}

# A fresh copy of the sources in a folder with a space, and the script run from elsewhere: another
# source folder and another build folder, all the same bytes.
quickstart() {
    (cd / && dash "$work/a copy/examples/quickstart.sh" "$work/other") >"$work/quickstart.out" 2>&1 || {
        cat "$work/quickstart.out"
        return 1
    }
}

quickstart_again() {
    mv "$work/quickstart.out" "$work/first.out" && quickstart &&
        cmp "$work/first.out" "$work/quickstart.out"
}

refuses_wrong_table() {
    sed 's/^row 3 CIFAR10 50000 10000 0.2 0.181/row 3 CIFAR10 50000 10000 0.2 0.182/' \
        "$DPACCT_SOURCE/examples/quickstart.sh" >"$work/a copy/examples/wrong.sh" &&
        status_is 1 sh "$work/a copy/examples/wrong.sh" "$work/other" >"$work/wrong.out" 2>&1 &&
        grep -qxF 'Not roundings of the true value: 3:10000:delta=0.182' "$work/wrong.out" &&
        rm "$work/a copy/examples/wrong.sh" # else it is installed
}

same_bytes() {
    for file in dpacct libdpacct.a "$shared"; do
        cmp "$DPACCT_BUILD/$file" "$work/other/$file" || return 1
    done
}

no_paths_inside() {
    for path in "$DPACCT_SOURCE" "$DPACCT_BUILD"; do
        for file in dpacct "$shared" libdpacct.a; do
            if grep -qaF "$path" "$DPACCT_BUILD/$file"; then
                echo "$file holds $path"
                return 1
            fi
        done
    done
}

static_build() {
    cmake "$work/other" -DBUILD_SHARED_LIBS=OFF && cmake --build "$work/other" -j2
}

# The same files but for the shared library, and a .pc file that needs no --static.
static_listing() {
    same "$(listing "$work/shared" | grep -v '/libdpacct\.so')" "$(listing "$work/static")"
}

runs_without_shared() {
    with_pkg_config "$work/static" "$work/spend4" "" && runs "$work/spend4"
}

runs_cmake_without_shared() {
    with_cmake "$work/static" "$work/spend5" && runs "$work/spend5/spend"
}

# The manifest is that of the last install: the first prefix again.
uninstall_after_reinstall() {
    install_to "$DPACCT_BUILD" "$work/shared" && uninstall_from "$DPACCT_BUILD" "$work/shared"
}

# The typed functions alone: no dp_ask, no program, no need of cJSON.
without_documents() {
    PKG_CONFIG_LIBDIR=/nowhere cmake -S "$work/a copy" -B "$work/bare" -DDPACCT_DOCUMENT=OFF &&
        cmake "$work/other" -DDPACCT_DOCUMENT=OFF && cmake --build "$work/other" -j2 &&
        install_to "$work/other" "$work/typed" && [ ! -e "$work/typed/bin/dpacct" ] &&
        same "" "$(nm -g --defined-only "$work/typed/lib/libdpacct.a" | grep -w dp_ask)" &&
        with_pkg_config "$work/typed" "$work/spend6" "" && runs "$work/spend6"
}

package() {
    (cd "$work" && cpack --config other/CPackConfig.cmake -G DEB -B "$work/deb") &&
        deb=$(echo "$work"/deb/dpacct_*.deb) && dpkg-deb -c "$deb" | grep -q './usr/bin/dpacct$' &&
        for library in libgmp10 libmpfr6 libmpfi0 libcjson1; do
            dpkg-deb -f "$deb" Depends | grep -q "$library" || {
                echo "$library is not among: $(dpkg-deb -f "$deb" Depends)"
                return 1
            }
        done
}

down='All 32 printed values are the true ones rounded to nearest. 22 of them are bounds;
these 10 were rounded down and are none:
  Table 2, MNIST, k = 500: epsilon = 0.0083
  Table 2, MNIST, k = 5000: epsilon = 0.083
  Table 4, MNIST, k = 500: epsilon = 0.008
  Table 4, MNIST, k = 500: delta = 0.008
  Table 4, MNIST, k = 5000: epsilon = 0.08
  Table 3, CIFAR10, k = 5000: delta = 0.095
  Table 3, CIFAR10, k = 10000: delta = 0.181
  Table 3, CIFAR10, k = 30000: delta = 0.45
  Table 5, CIFAR10, k = 5000: delta = 0.095
  Table 5, CIFAR10, k = 10000: delta = 0.18'

rows='2     MNIST     300  0.005   4.999958334e-3  bound  0.005  4.987562267e-3  bound
3     CIFAR10 10000  0.2     0.1999980001    bound  0.181  0.1812708845    DOWN'

plan 44
tap "install" install_to "$DPACCT_BUILD" "$work/shared"
tap "everything is in its place" has_files "$work/shared"
tap "the installed program runs" "$work/shared/bin/dpacct" --version
tap "the installed man page has no faults" man_is_clean "$work/shared/share/man/man1/dpacct.1"
tap "every header stands alone" headers_stand_alone "$work/shared"
tap "soname and links" links_are_right "$work/shared/lib"
tap "the library exports what the headers declare" exports_are_declared \
    "$work/shared/lib/libdpacct.so" "$work/shared/include/dpacct"
tap "the archive exports dp_ only" archive_is_closed "$work/shared/lib/libdpacct.a"
tap "indirect branches are protected" branches_are_protected "$work/shared/lib/libdpacct.a"
tap "the program is hardened" hardened "$work/shared/bin/dpacct"
tap "the library is hardened" hardened "$work/shared/lib/libdpacct.so"
tap "no build path is in the binaries" no_paths_inside
tap "pkg-config, shared: builds" with_pkg_config "$work/shared" "$work/spend1" ""
tap "pkg-config, shared: runs" runs "$work/spend1" "$work/shared/lib"
tap "pkg-config, shared: asks for libdpacct only" same \
    "libc.so.6 libdpacct.so.1 " "$(needs "$work/spend1")"
tap "pkg-config, shared: the output in docs/library.md" documented
tap "docs/library.md names every function that fills a result" answers_are_documented
tap "pkg-config, shared: dp_ask says what batch says" asks "$work/shared"
tap "pkg-config, shared: the typed calls" typed "$work/shared"
tap "pkg-config, static: builds" with_pkg_config "$work/shared" "$work/spend2" --static -static
tap "pkg-config, static: runs" runs "$work/spend2"
tap "pkg-config, static: needs no library" same "" "$(needs "$work/spend2")"
tap "find_package: builds" with_cmake "$work/shared" "$work/spend3"
tap "find_package: runs" runs "$work/spend3/spend"
tap "find_package: dpacct::dpacct is the shared library" links_shared "$work/spend3/spend"
tap "find_package refuses a version that is too old" refuses_newer "$work/shared"
tap "DESTDIR, and uninstall from it" destdir

tap "quickstart: a copy of the sources" copy_source "$work/a copy"
tap "quickstart: builds and runs" quickstart
tap "quickstart: table and verdicts" same "$rows
$down" "$(grep -xF "$rows" "$work/quickstart.out"; sed -n '/^All 32/,/Table 5.*10000/p' \
    "$work/quickstart.out")"
tap "quickstart: a second run says the same" quickstart_again
tap "quickstart: a value that is no rounding is refused" refuses_wrong_table
tap "two builds are the same" same_bytes
tap "an old MPFR is refused" refuses_old_numbers
tap "Debian package" package
tap "without the shared library: builds" static_build
tap "without the shared library: installs" install_to "$work/other" "$work/static"
tap "without the shared library: everything else is there" static_listing
tap "without the shared library: pkg-config needs no --static" runs_without_shared
tap "without the shared library: find_package" runs_cmake_without_shared
tap "without the shared library: uninstall leaves nothing" uninstall_from "$work/other" \
    "$work/static"
tap "without documents: the typed functions alone" without_documents

tap "uninstall leaves nothing" uninstall_after_reinstall
tap "uninstall spares the files of others" spares_strangers "$DPACCT_BUILD" "$work/spare"
finish
