#!/bin/sh
# Builds attest or takes it from an archive, puts it into a folder for programs and installs its hooks.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
temporary=
unpacked=
fetched=
trap '[ -z "$temporary" ] || rm -f -- "$temporary"; [ -z "$unpacked" ] || rm -rf -- "$unpacked"
    [ -z "$fetched" ] || rm -rf -- "$fetched"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

usage() {
    cat <<'END'
Usage: ./install.sh [OPTION]...

Builds attest, puts it into ~/.local/bin, installs the hooks of Claude Code
and checks that they work. Building takes some minutes and 400 MB.

  --from FILE    take the program from an archive of a release: no building,
                 and no Rust
  --release URL  the same, with the archive for this system and its checksum
                 fetched from there; needs no clone
  --prefix DIR   put the program into DIR/bin, the manual and the completions
                 into DIR/share
  --static       build a program that runs on every Linux of this processor
                 (needs the musl target of Rust and a C compiler for it)
  --live         also build and install what attest doctor --live runs
  --dry-run      build, print what would change, and change nothing
  --no-hooks     only the program, manual and completions: attest audit looks
                 back without hooks, and attest install adds them later
  --uninstall    remove the hooks, and what this script has put in place
  --purge        also remove what attest has kept, after asking
  --yes          with that, do not ask
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
    take_the_rust_that_is_there
    "$cargo" --version >/dev/null || fail "$cargo does not run" \
        'run "rustup default stable", or set RUSTUP_HOME and CARGO_HOME to where your toolchains are'
}

# The project is checked with one Rust, which rustup would install first. To build it, the one that is there will do:
# cargo says if it is too old.
take_the_rust_that_is_there() {
    rustup=${cargo%/*}/rustup
    [ -z "${RUSTUP_TOOLCHAIN:-}" ] && [ -x "$rustup" ] && [ -f "$root/rust-toolchain.toml" ] || return 0
    ours=$(sed -n 's/^channel = "\(.*\)"$/\1/p' "$root/rust-toolchain.toml")
    ! "$rustup" toolchain list 2>/dev/null | grep -qF -e "$ours-" || return 0
    theirs=$("$rustup" default 2>/dev/null) || return 0
    [ -z "$theirs" ] || export RUSTUP_TOOLCHAIN="${theirs%% *}"
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

# Sets $from to the archive for this system, fetched from $release with the sums that it has to match.
fetch_release() {
    is_fetched_from "$release" || fail "$release is no address that is fetched from" 'it begins with https://'
    find_release_target
    fetched=$(mktemp -d)
    fetch SHA256SUMS
    archive=
    while read -r _ file; do
        case $file in
        */*) ;;
        attest-*-"$target".tar.gz) archive=$file ;;
        esac
    done <"$fetched/SHA256SUMS"
    [ -n "$archive" ] || fail "$release has no archive for $target" \
        'build it instead: run ./install.sh in a clone'
    say "fetching $archive"
    fetch "$archive"
    from=$fetched/$archive
}

# Whether nobody on the way can change what comes from the address $1: it is https, or of this machine.
is_fetched_from() {
    case $1 in
    https://*) return 0 ;;
    http://*) ;;
    *) return 1 ;;
    esac
    server=${1#http://}
    server=${server%%[/?#]*}
    case $server in
    127.0.0.1 | localhost) return 0 ;;
    127.0.0.1:* | localhost:*) ;;
    *) return 1 ;;
    esac
    case ${server#*:} in
    '' | *[!0-9]*) return 1 ;;
    esac
}

# Sets $target to the one that the archive for this system is named after.
find_release_target() {
    processor=$(uname -m)
    [ "$processor" != arm64 ] || processor=aarch64
    case $(uname -s) in
    Linux) target=$processor-unknown-linux-musl ;;
    Darwin) target=$processor-apple-darwin ;;
    *) fail "there is no archive for $(uname -s) that this script could install" ;;
    esac
}

# Fetches the file $1 of the release into $fetched.
fetch() {
    address=${release%/}/$1
    if command -v curl >/dev/null; then
        set -- "$1" --fail --silent --show-error --output "$fetched/$1"
        # This machine sends nobody elsewhere.
        case $release in
        https://*) set -- "$@" --location --proto '=https' ;;
        esac
        shift
        curl "$@" "$address"
    elif command -v wget >/dev/null; then
        fetch_by_wget "$fetched/$1" "$address"
    else
        fail 'there is neither curl nor wget, with which the release is fetched' \
            'install one of them, or fetch the archive yourself and name it with --from'
    fi || fail "$address cannot be fetched" 'look whether the address is right, and the network there'
}

# Fetches $2 into the file $1. Its --https-only is for links in pages alone: it follows where it is sent, so that is
# looked at here.
fetch_by_wget() {
    for _ in 1 2 3 4 5; do
        ! heads=$(LC_ALL=C wget -S --max-redirect=0 -O "$1" "$2" 2>&1) || return 0
        case $2 in
        http://*) break ;;
        esac
        next=$(printf '%s\n' "$heads" | sed -n 's/^ *[Ll]ocation: \([^ ]*\).*$/\1/p' | head -n 1)
        case $next in
        https://*) set -- "$1" "$next" ;;
        *) break ;;
        esac
    done
    printf '%s\n' "$heads" | tail -n 1 >&2
    return 1
}

# Sets $built to the program of the archive $from.
unpack() {
    [ -f "$from" ] || fail "there is no archive $from"
    check_sum
    unpacked=$(mktemp -d)
    # Of the two that follow only tar says how it went, and it reads no further than it has to.
    gzip -t -- "$from" 2>/dev/null ||
        fail "$from is damaged, or is not an archive of a release" \
            'download it again; its name ends in .tar.gz'
    gzip -dc -- "$from" 2>/dev/null | tar -xf - -C "$unpacked" 2>/dev/null ||
        fail "$from is not an archive of a release" 'its name ends in .tar.gz'
    built=
    for found in "$unpacked"/attest-*/attest; do
        [ ! -f "$found" ] || built=$found
    done
    [ -n "$built" ] || fail "$from has no program attest for this kind of system"
    runs_here "$from"
}

# Whether the program $built, which is that of $1, is for this system.
runs_here() {
    "$built" --version >/dev/null 2>&1 || fail "the program of $1 does not run here" \
        "this system is $(uname -s) on $(uname -m): the name of the archive has to say the same"
}

# Compares the archive with the SHA256SUMS beside it, if that is there.
check_sum() {
    sums=$(dirname -- "$from")/SHA256SUMS
    [ -f "$sums" ] || return 0
    name=$(basename -- "$from")
    expected=$(while read -r sum file; do
        [ "$file" != "$name" ] || printf '%s\n' "$sum"
    done <"$sums")
    [ -n "$expected" ] || fail "$sums does not name $name" \
        'give the archive the name that it was published with, or move that file away'
    if command -v sha256sum >/dev/null; then
        actual=$(sha256sum <"$from")
    else
        actual=$(shasum -a 256 <"$from")
    fi
    [ "${actual%% *}" = "$expected" ] || fail "$from is not what $sums says" 'download it again'
}

# Sets $built to the program, and $built_player to what plays the model where that is wanted.
build() {
    [ -z "$release" ] || fetch_release
    if [ -n "$from" ]; then
        unpack
        return
    fi
    # An archive that has been unpacked.
    if [ "${0##*/}" = install.sh ] && [ -f "$root/attest" ] && [ ! -e "$root/Cargo.toml" ]; then
        [ "$static$live" = nono ] || wrong_usage '--static and --live are for building, for which there is no source here'
        built=$root/attest
        runs_here "$root"
        return
    fi
    # Read from standard input, it has no folder of its own.
    { [ "${0##*/}" = install.sh ] && [ -f "$root/Cargo.toml" ]; } || fail "there is no source of attest in $root" \
        'run ./install.sh in a clone, or name a release with --release'
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
    say 'building attest: some minutes, and 400 MB; --from takes the archive of a release instead'
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

# Makes the folder $1 and those above it that are missing, and writes down which.
make_folder() {
    [ ! -d "$1" ] || return 0
    make_folder "$(dirname -- "$1")"
    mkdir -- "$1"
    made=$made"folder $1$newline"
}

# Adds a line to the list of what this script has put in place, and the folders made so far.
record() {
    printf '%s%s\n' "$made" "$1" >>"$list"
    made=
}

begin_list() {
    make_folder "${list%/*}"
    if [ -e "$list" ] || [ -L "$list" ]; then
        has_list || fail "$list is there already, and is not of this script" 'move it away'
    else
        printf '%s\n' "$list_head" >"$list"
    fi
}

has_list() {
    [ -f "$list" ] && [ ! -L "$list" ] && [ "$(head -n 1 -- "$list")" = "$list_head" ]
}

# What the list says of the file $1 as it is now.
entry() {
    printf 'file %s %s\n' "$(cksum <"$1")" "$1"
}

# Whether the file $1 is one that this script has put there, or an attest from before there was a list.
is_ours() {
    [ -f "$1" ] && [ ! -L "$1" ] || return 1
    ! has_list || ! grep -qxF -e "$(entry "$1")" -- "$list" || return 0
    case $1 in
    "$program") grep -q STATE_MOVED_ASIDE -- "$1" ;;
    *) return 1 ;;
    esac
}

# Makes room at $1. What is not of this script is renamed: nothing of others is lost.
make_room() {
    [ -e "$1" ] || [ -L "$1" ] || return 0
    [ -L "$1" ] || [ ! -d "$1" ] || fail "$1 is a folder" 'remove it, or choose another --prefix'
    ! is_ours "$1" || return 0
    aside=$1.before-$(date -u +%Y%m%dT%H%M%SZ)
    if [ -e "$aside" ] || [ -L "$aside" ]; then
        fail "$aside is there already" 'run this again'
    fi
    mv -- "$1" "$aside"
    say "kept what was at $1 as $aside"
}

# Puts the file $1 at $2, with the mode $3.
place() {
    make_folder "${2%/*}"
    make_room "$2"
    # Renamed into place: a hook that runs meanwhile sees the old program or the new one.
    temporary=$(mktemp "${2%/*}/.attest.XXXXXX")
    # Its content alone: on macOS a copy may keep the mark of a download.
    cat <"$1" >"$temporary"
    chmod "$3" -- "$temporary"
    mv -f -- "$temporary" "$2"
    temporary=
    record "$(entry "$2")"
}

# Puts the program $1 at $2.
install_program() {
    place "$1" "$2" 755
    say "installed $2"
}

# Puts the manual and the completions where shells and man look for them.
install_texts() {
    unpacked=${unpacked:-$(mktemp -d)}
    "$program" man "$unpacked/man" >/dev/null
    put_text "$share/bash-completion/completions/attest" completions bash
    put_text "$share/fish/vendor_completions.d/attest.fish" completions fish
    put_text "$share/zsh/site-functions/_attest" completions zsh
    for page in "$unpacked"/man/attest*.1; do
        place "$page" "$share/man/man1/${page##*/}" 644
    done
    say "installed the manual and the completions of shells in $share"
}

# Writes what attest prints to the file $1.
put_text() {
    text=$1
    shift
    "$program" "$@" >"$unpacked/text"
    place "$unpacked/text" "$text" 644
}

# The files of this script that are there, each on a line.
installed() {
    {
        printf '%s\n' "$program" "$player"
        ! has_list || sed -n 's/^file [0-9]* [0-9]* //p' -- "$list"
    } | sort -u | while IFS= read -r file; do
        if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\n' "$file"; fi
    done
}

remove_installed() {
    installed | while IFS= read -r file; do
        if is_ours "$file"; then
            rm -f -- "$file"
            say "removed $file"
        else
            say "left $file: it is not what this script has put there"
        fi
    done
    has_list || return 0
    folders=$(sed -n 's/^folder //p' -- "$list" | sort -ru)
    rm -f -- "$list"
    # Those that are empty now.
    printf '%s\n' "$folders" | while IFS= read -r folder; do
        [ -z "$folder" ] || [ -L "$folder" ] || rmdir -- "$folder" 2>/dev/null || :
    done
}

# What a person does after this, and last what is in force.
say_what_comes_next() {
    in_force=
    [ "$hooks" = no ] || in_force=$("$program" enforce | grep 'enforcement is') || :
    say ''
    say 'What comes next:'
    say '  - See what your agents have reported so far:  attest audit'
    if [ "$hooks" = no ]; then
        say '  - Add the hooks, which judge what agents report from now on:  attest install'
    else
        say '  - Start a new session: a running one does not read the settings again.'
        say '  - Watch what is found:  attest log --follow'
    fi
    case $in_force in
    *'enforcement is off'*) say '  - Have false reports sent back, once you have seen some:  attest enforce on' ;;
    esac
    case ":${PATH:-}:" in
    *":$bin:"*) say_what_shadows ;;
    *)
        say "note: $bin is not on the PATH; the hooks do not need it, your shell does:"
        # shellcheck disable=SC2016 # The person's shell is to read it.
        say "       export PATH=\"$bin:"'$PATH"'
        ;;
    esac
    case ${SHELL:-} in
    */zsh) say_where_zsh_looks ;;
    esac
    [ -z "$in_force" ] || say "$in_force"
}

# Another program of the name, such as the Python tool, is what the person would type.
say_what_shadows() {
    found=$(command -v attest) || found=
    [ -z "$found" ] || [ "$found" = "$program" ] || cmp -s -- "$found" "$program" ||
        say "note: your shell runs another attest, $found; put $bin before it in the PATH"
}

# Which is not in the home of a person.
say_where_zsh_looks() {
    case $share in
    /usr/share | /usr/local/share) ;;
    *)
        say 'note: zsh finds the completions if this is in ~/.zshrc, before compinit:'
        # shellcheck disable=SC2016 # The person's shell is to read it.
        say "       fpath=(\"$share/zsh/site-functions\" "'$fpath)'
        ;;
    esac
}

install_all() {
    build
    if [ "$dry_run" = yes ]; then
        say "would install $program"
        [ "$live" = no ] || say "would install $player"
        [ "$hooks" = no ] || "$built" install --dry-run --binary "$program"
        return
    fi
    [ ! -d "$program" ] || [ -L "$program" ] ||
        fail "$program is a folder" 'remove it, or choose another --prefix'
    begin_list
    install_program "$built" "$program"
    [ "$live" = no ] || install_program "$built_player" "$player"
    install_texts
    status=0
    if [ "$hooks" = yes ]; then
        "$program" install --no-next --binary "$program"
        [ "$doctor" = no ] || "$program" doctor || status=$?
    fi
    say_what_comes_next
    return "$status"
}

uninstall_all() {
    remover=$program
    # Nothing is run that merely has the name.
    if ! is_ours "$remover"; then
        say "there is no attest of this script at $program; building one to remove the hooks with"
        build
        remover=$built
    fi
    set -- uninstall
    [ "$purge" = no ] || set -- "$@" --purge
    [ "$yes" = no ] || set -- "$@" --yes
    if [ "$dry_run" = yes ]; then
        "$remover" "$@" --dry-run
        installed | while IFS= read -r file; do
            ! is_ours "$file" || say "would remove $file"
        done
        return
    fi
    # First the hooks: a hook whose program is gone is an error at every stop.
    "$remover" "$@"
    remove_installed
    if [ "$purge" = no ] && [ -e "${HOME:-}/.attest" ]; then
        say "the state in $HOME/.attest stays; --uninstall --purge removes what attest has made there"
    fi
}

action=install_all
prefix=
dry_run=no
purge=no
yes=no
hooks=yes
doctor=yes
static=no
live=no
from=
release=
while [ "$#" -gt 0 ]; do
    case $1 in
    --prefix)
        [ "$#" -ge 2 ] || wrong_usage '--prefix needs a folder'
        prefix=$2
        shift
        ;;
    --prefix=*) prefix=${1#--prefix=} ;;
    --from)
        [ "$#" -ge 2 ] || wrong_usage '--from needs an archive'
        from=$2
        shift
        ;;
    --from=*) from=${1#--from=} ;;
    --release)
        [ "$#" -ge 2 ] || wrong_usage '--release needs an address'
        release=$2
        shift
        ;;
    --release=*) release=${1#--release=} ;;
    --dry-run) dry_run=yes ;;
    --uninstall) action=uninstall_all ;;
    --purge) purge=yes ;;
    --yes) yes=yes ;;
    --no-hooks) hooks=no ;;
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
[ -z "$from$release" ] || [ "$static$live" = nono ] ||
    wrong_usage '--static and --live are for building, and --from and --release build nothing'
[ -z "$from" ] || [ -z "$release" ] || wrong_usage '--from and --release are two ways to get the program'
[ "$purge" = no ] || [ "$action" = uninstall_all ] || wrong_usage '--purge is for --uninstall'
[ "$yes" = no ] || [ "$purge" = yes ] || wrong_usage '--yes is for --purge'
bin=$prefix/bin
share=$prefix/share
program=$bin/attest
# What attest doctor --live looks for beside the program.
player=$bin/attest-scripted-host
list=$share/attest/installed
list_head='# What install.sh of attest has put in place.'
made=
newline='
'
"$action"
