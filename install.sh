#!/bin/sh
# Builds attest, puts it into a folder for programs and installs its hooks.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
temporary=
trap '[ -z "$temporary" ] || rm -f -- "$temporary"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

usage() {
    cat <<'END'
Usage: ./install.sh [OPTION]...

Builds attest, puts it into ~/.local/bin, installs the hooks of Claude Code
and checks that they work.

  --prefix DIR   put the program into DIR/bin
  --static       build a program that runs on every Linux of this processor
                 (needs the musl target of Rust and a C compiler for it)
  --live         also build and install what attest doctor --live runs
  --dry-run      build, print what would change, and change nothing
  --uninstall    remove the hooks and the program
  --no-doctor    leave out the checks at the end
  --help         print this

The settings file is settings.json in $CLAUDE_CONFIG_DIR or ~/.claude;
ATTEST_SETTINGS names another.
END
}

say() {
    printf '%s\n' "$*"
}

fail() {
    printf 'error: %s\n' "$1" >&2
    [ "$#" -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

wrong_usage() {
    printf 'error: %s\n' "$1" >&2
    printf 'hint: %s\n' './install.sh --help lists the options' >&2
    exit 2
}

# Sets $cargo to one that runs. A rustup whose home is another one, which is what the PATH leads to
# where somebody has changed HOME, does not find its toolchains by itself.
find_cargo() {
    cargo=$(command -v cargo) || cargo=${CARGO_HOME:-${HOME:-}/.cargo}/bin/cargo
    [ -x "$cargo" ] || fail 'there is no cargo, with which attest is built' \
        'install Rust (rustup.rs or your package manager), then run this again'
    cargo_home=$(dirname -- "$(dirname -- "$cargo")")
    rustup_home=$(dirname -- "$cargo_home")/.rustup
    if [ -z "${RUSTUP_HOME:-}" ] && [ ! -d "${HOME:-}/.rustup" ] && [ -d "$rustup_home" ]; then
        export RUSTUP_HOME="$rustup_home" CARGO_HOME="${CARGO_HOME:-$cargo_home}"
    fi
    "$cargo" --version >/dev/null || fail "$cargo does not run" \
        'run "rustup default stable", or set RUSTUP_HOME and CARGO_HOME to where your toolchains are'
}

# Sets $target to this system where the C library can be made part of the program, which then
# starts faster, and to nothing elsewhere.
find_own_target() {
    target=$("$cargo" -vV | sed -n 's/^host: //p')
    case $target in
    *-linux-gnu*) links_statically || target= ;;
    *) target= ;;
    esac
}

links_statically() {
    temporary=$(mktemp)
    linked=no
    printf 'int main(void) { return 0; }\n' |
        cc -static-pie -x c -o "$temporary" - -lm -lgcc_eh 2>/dev/null && linked=yes
    rm -f -- "$temporary"
    temporary=
    [ "$linked" = yes ]
}

# Sets $target to the one that needs nothing of the system.
find_static_target() {
    [ "$(uname -s)" = Linux ] || fail 'only Linux has programs without libraries of the system' \
        'leave --static out'
    target=$(uname -m)-unknown-linux-musl
    libraries=$("${cargo%/*}/rustc" --print target-libdir --target "$target" 2>/dev/null) || libraries=
    [ -d "$libraries" ] || fail "Rust has no target $target here" "run: rustup target add $target"
}

# Sets $built to the program, and $built_player to what plays the model where that is wanted.
build() {
    find_cargo
    set -- build --release --locked -p attest
    [ "$live" = no ] || set -- "$@" -p attest-scripted-host
    if [ "$static" = yes ]; then
        find_static_target
        compiler=musl-gcc
        set -- "$@" --target "$target"
    else
        compiler=${CC:-cc}
        find_own_target
        [ -z "$target" ] || set -- "$@" --config .cargo/static.toml --target "$target"
    fi
    command -v "${compiler%% *}" >/dev/null || fail \
        "there is no C compiler ($compiler), with which SQLite and libgit2 are built" \
        "install one (Debian: build-essential, with --static musl-tools; Fedora: gcc; macOS: xcode-select --install), or set CC"
    (cd -- "$root" && "$cargo" "$@") || fail 'the build failed' 'the lines above say why'
    # Only cargo knows where its configuration puts the programs.
    programs=$(cd -- "$root" && "$cargo" "$@" --quiet --message-format=json |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
    built=$(named attest)
    [ "$live" = no ] || built_player=$(named attest-scripted-host)
}

# Prints which of $programs has this name.
named() {
    place=$(printf '%s\n' "$programs" | grep -E "/$1(\.exe)?\$" | tail -n 1)
    [ -x "$place" ] || fail "the build left no $1 at ${place:-any known place}"
    printf '%s\n' "$place"
}

# Puts the file $1 at $2.
install_program() {
    mkdir -p -- "$bin"
    [ ! -d "$2" ] || fail "$2 is a folder" 'remove it, or choose another --prefix'
    # Renamed into place: a hook that runs meanwhile sees the old program or the new one.
    temporary=$(mktemp "$bin/.attest.XXXXXX")
    cp -- "$1" "$temporary"
    chmod 755 -- "$temporary"
    mv -f -- "$temporary" "$2"
    temporary=
    say "installed $2"
}

install_all() {
    build
    if [ "$dry_run" = yes ]; then
        say "would install $program"
        [ "$live" = no ] || say "would install $player"
        "$built" install --dry-run --binary "$program"
        return
    fi
    install_program "$built" "$program"
    [ "$live" = no ] || install_program "$built_player" "$player"
    "$program" install --binary "$program"
    case ":${PATH:-}:" in
    *":$bin:"*) ;;
    *) say "note: $bin is not on the PATH; the hooks do not need it, your shell does" ;;
    esac
    say 'note: a false DONE is reported, not blocked, until ATTEST_ENFORCE=1 is set'
    [ "$doctor" = no ] || "$program" doctor
}

uninstall_all() {
    remover=$program
    if [ ! -x "$remover" ] || [ -d "$remover" ]; then
        say "there is no $program; building one to remove the hooks with"
        build
        remover=$built
    fi
    if [ "$dry_run" = yes ]; then
        "$remover" uninstall --dry-run
        for file in "$program" "$player"; do
            [ ! -f "$file" ] || say "would remove $file"
        done
        return
    fi
    # First the hooks: a hook whose program is gone is an error at every stop.
    "$remover" uninstall
    for file in "$program" "$player"; do
        [ -f "$file" ] || continue
        rm -f -- "$file"
        say "removed $file"
    done
    if [ -e "${HOME:-}/.attest" ]; then
        say "the state in $HOME/.attest stays; remove it with: rm -r '$HOME/.attest'"
    fi
}

action=install_all
prefix=
dry_run=no
doctor=yes
static=no
live=no
while [ "$#" -gt 0 ]; do
    case $1 in
    --prefix)
        [ "$#" -ge 2 ] || wrong_usage '--prefix needs a folder'
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --dry-run) dry_run=yes ;;
    --uninstall) action=uninstall_all ;;
    --no-doctor) doctor=no ;;
    --static) static=yes ;;
    --live) live=yes ;;
    --help | -h)
        usage
        exit
        ;;
    *) wrong_usage "unknown option $1" ;;
    esac
    shift
done
if [ -z "$prefix" ]; then
    [ -n "${HOME:-}" ] || fail 'there is no home folder' 'set HOME, or name a folder with --prefix'
    prefix=$HOME/.local
fi
case $prefix in
/*) ;;
*) prefix=$(pwd)/$prefix ;;
esac
bin=$prefix/bin
program=$bin/attest
# What attest doctor --live looks for beside the program.
player=$bin/attest-scripted-host
"$action"
