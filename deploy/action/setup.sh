# shellcheck shell=sh
# Sourced by prepare and answer: `root` is the checkout of the action, `folder` holds the Python environment of its lock
# file. A self-hosted runner keeps it from run to run.
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=deploy/environment.sh
. "$root/deploy/environment.sh"
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
found=$(find_python)
[ -n "$found" ] || die "needs Python 3.11 or newer; put actions/setup-python before this step"
folder=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:?}}/burn-triage-$(environment_key "$root/requirements.lock" "$found")
python=$folder/bin/python
