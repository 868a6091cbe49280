# Shared functions. Every Bash script sources this file first. The file changes the directory to the root of the
# repository. The first comment of a script is its help.
script=$(cd "$(dirname "$0")" && pwd)/${0##*/}
show_help() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$script"; }
usage() { show_help >&2; exit 64; }
case "${1:-}" in -h | --help) show_help; exit ;; esac
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

# --- Missing tools

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

install_debian() {
    command -v apt-get >/dev/null || { echo "setup: please install: $*" >&2; exit 1; }
    as_root apt-get update -qq
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

install_swift() {
    echo "setup: installing Swift with swiftly" >&2
    install_debian ca-certificates curl gnupg tar
    local folder; folder=$(mktemp -d)
    local archive; archive=swiftly-$(uname -m).tar.gz
    curl -fsSL --output-dir "$folder" --remote-name-all \
        "https://download.swift.org/swiftly/linux/$archive" "https://download.swift.org/swiftly/linux/$archive.sig" \
        https://www.swift.org/keys/all-keys.asc
    # The signature is verified with Swift's own keys before the archive is unpacked. The keys are imported into a
    # temporary folder.
    mkdir -m 700 "$folder/keys"
    gpg --homedir "$folder/keys" --quiet --import "$folder/all-keys.asc"
    gpg --homedir "$folder/keys" --quiet --verify "$folder/$archive.sig" "$folder/$archive" ||
        { echo "setup: the signature of $archive is wrong" >&2; exit 1; }
    tar -xzf "$folder/$archive" -C "$folder"
    "$folder/swiftly" init --assume-yes --quiet-shell-followup
    rm -rf "$folder"
    # shellcheck disable=SC1091
    . "${SWIFTLY_HOME_DIR:-$HOME/.local/share/swiftly}/env.sh"
    hash -r
}

# Installs Swift 6.1 or later and, on Linux, openssl, curl and the headers of SQLite, if they are missing.
set_up() {
    if ! command -v swift >/dev/null; then
        case "$(uname -s)" in
        Linux) install_swift ;;
        *) echo "setup: please install Xcode 16.3 or later, or Swift from swift.org/install" >&2; exit 1 ;;
        esac
    fi
    local major minor
    read -r major minor < <(swift --version 2>&1 | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p')
    if [ "${major:-0}" -lt 6 ] || { [ "$major" = 6 ] && [ "$minor" -lt 1 ]; }; then
        echo "setup: Swift 6.1 or later is required, but the installed version is ${major:-?}.${minor:-?}" >&2
        exit 1
    fi
    [ "$(uname -s)" = Linux ] || return 0
    [ -e /usr/include/sqlite3.h ] && command -v pkg-config >/dev/null || install_debian libsqlite3-dev pkg-config
    # The tests of the stand-in for APNs use openssl and curl.
    { command -v openssl && command -v curl; } >/dev/null || install_debian openssl curl ca-certificates
}

# Prints the path of the Python in .build/python, the environment that all checks share. If the requirements have
# changed, creates the environment again.
checks_python() {
    local folder=$PWD/.build/python requirements=Scripts/checks/library/requirements.txt
    if ! cmp -s "$requirements" "$folder/requirements.txt"; then
        rm -rf "$folder"
        python3 -m venv "$folder" 2>/dev/null || { install_debian python3 python3-venv && python3 -m venv "$folder"; } || return
        "$folder/bin/pip" install --quiet --disable-pip-version-check --requirement "$requirements" >&2 || return
        cp "$requirements" "$folder/"
    fi
    echo "$folder/bin/python"
}

# --- Builds

# swift VERB for the package in a folder:  swiftpm build|test|run FOLDER [options]
swiftpm() { swift "$1" --package-path "$2" --scratch-path "$PWD/.build" "${@:3}"; }

# Builds the package in a folder and shows the progress. On a terminal, the progress is shown as SwiftPM shows it;
# otherwise it is shown every few seconds. All packages except the stand-ins share the root's .build folder, so that
# nothing is built twice. SwiftPM stores the plan of the last build there (description.json). It may use this plan for
# another package and then build nothing. So each build first deletes the plan.
build() { # FOLDER [options]
    set_up
    rm -f .build/*/*/description.json
    if [ -t 1 ]; then swiftpm build "$@"; else swiftpm build "$@" 2>&1 | every_few_seconds; fi
}

# Prints all input lines except the lines that count steps. Of the lines that count steps, prints one every five
# seconds.
every_few_seconds() {
    local line next=0
    while IFS= read -r line; do
        if [[ $line == \[*/*\]* ]] && [[ $line != *": error:"* ]]; then
            if ((SECONDS < next)); then continue; fi
            next=$((SECONDS + 5))
        fi
        printf '%s\n' "$line"
    done
}

# Builds the command line, the other executables in its package, and the executables that the arguments name. Prints the
# path of the command line. If PUSHBRIDGE is set, only prints the value of PUSHBRIDGE.
command_line() { # debug|release [apns] [audit]
    local configuration=$1 companion folder
    if [ -n "${PUSHBRIDGE:-}" ]; then echo "$PUSHBRIDGE"; return; fi
    # The function returns after a failed build, because the caller's set -e has no effect inside $(...).
    for companion in "${@:2}"; do
        case $companion in apns) folder=Tools/APNs ;; audit) folder=Tools/Audit ;; esac
        build "$folder" -c "$configuration" --product "pushbridge-$companion" >&2 || return
    done
    build Tools -c "$configuration" >&2 || return
    echo "$PWD/.build/$configuration/pushbridge"
}

# --- A user's data

# Makes later commands use an empty folder for a user's data. check_data_folder fails if the commands wrote a file into
# this folder. The function has an effect only on Linux, because Foundation does not read XDG_DATA_HOME on other
# systems.
use_empty_data_folder() {
    # If swiftly has installed Swift, the real folder contains swiftly's data, which later commands still need.
    if [ -d "${XDG_DATA_HOME:-$HOME/.local/share}/swiftly" ]; then
        export SWIFTLY_HOME_DIR=${SWIFTLY_HOME_DIR:-${XDG_DATA_HOME:-$HOME/.local/share}/swiftly}
    fi
    XDG_DATA_HOME=$(mktemp -d)
    export XDG_DATA_HOME
}

check_data_folder() {
    if [ -n "$(find "$XDG_DATA_HOME" -type f)" ]; then
        echo "These files were written into the folder of a user's data:" >&2
        find "$XDG_DATA_HOME" -type f >&2
        return 1
    fi
    rm -rf "$XDG_DATA_HOME"
}
