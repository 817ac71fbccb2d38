# shellcheck shell=sh
# Sourced by deploy/test and deploy/demo, which set `root`, the checkout.
# make_environment NAME LOCK leaves a Python environment with exactly what LOCK pins, and this checkout installed in it
# (editable), under .venv-NAME/; it sets `python` to that environment's interpreter. A second call is a no-op.
: "${root:?}"
me=deploy/${0##*/}

say() { printf '%s: %s\n' "$me" "$*" >&2; }
die() { say "$*"; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" -eq 0 ]; }
in_ci() { case ${CI:-} in 1 | true | True | TRUE) true ;; *) false ;; esac; }

# Debian and Ubuntu only, as root only. The package lists are refreshed once, and only if something has to be installed.
apt_lists_are_fresh=no
apt_install() {
    is_root && has apt-get || return 1
    [ "$apt_lists_are_fresh" = yes ] || quietly apt-get update -qq || return 1
    apt_lists_are_fresh=yes
    quietly env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

# Runs a command whose output matters only if it fails.
quietly() {
    output=$("$@" 2>&1) || {
        printf '%s\n' "$output" >&2
        return 1
    }
}

is_recent() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

# Prints the first Python of 3.11 or newer; one that can make environments wins over one that cannot.
find_python() {
    fallback=
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        is_recent "$candidate" || continue
        if has_venv "$candidate"; then
            printf '%s\n' "$candidate"
            return
        fi
        fallback=${fallback:-$candidate}
    done
    printf '%s\n' "$fallback"
}

# Debian splits venv off; the package is called after the version, so that it fits whichever Python was found.
require_venv() {
    has_venv "$1" && return
    package=$("$1" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    [ "$(command -v "$1")" != /usr/bin/python3 ] || package=python3-venv
    if is_root && has apt-get; then
        say "installing $package"
        apt_install "$package" || true
    fi
    has_venv "$1" || die "$1 lacks the venv module: install the package $package"
}

# What the environment depends on: the pins, the interpreter, and the place (an environment cannot be moved).
environment_key() {
    { cat -- "$1"; "$2" -VV; printf '%s\n' "$root"; } | sha256sum | cut -c 1-12
}

pip_install() {
    # Somebody's own pip settings must not send the packages elsewhere than into the environment.
    env -u PIP_USER -u PIP_TARGET -u PIP_PREFIX -u PIP_REQUIRE_VIRTUALENV PIP_DISABLE_PIP_VERSION_CHECK=1 \
        "$python" -m pip install -qq --no-input "$@"
}

make_environment() {
    unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
    found=$(find_python)
    [ -n "$found" ] || die "needs Python 3.11 or newer: install the package python3, or name one in PYTHON"
    require_venv "$found"
    parent=$root/.venv-$1
    folder=$parent/$(environment_key "$root/$2" "$found")
    python=$folder/bin/python
    mkdir -p "$parent"
    exec 9>"$parent/lock"
    flock 9
    if [ ! -e "$folder/complete" ]; then
        say "making the environment of $2 (once)"
        # A folder without the mark is half made, one of another key is of an older lock file.
        find "$parent" -mindepth 1 -maxdepth 1 -type d -exec rm -rf -- {} +
        "$found" -m venv "$folder"
        pip_install --require-hashes -r "$root/$2"
        touch "$folder/complete"
    fi
    if ! cmp -s "$root/pyproject.toml" "$folder/pyproject.toml"; then
        pip_install --no-deps --no-build-isolation --editable "$root"
        cp "$root/pyproject.toml" "$folder/pyproject.toml"
    fi
    exec 9>&-
}
