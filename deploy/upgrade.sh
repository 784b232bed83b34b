#!/bin/sh
# As root, in the folder of the project: sh deploy/upgrade.sh v1.0.1
# Backs up, checks out that version, downloads its packages, restarts the service. It stops at the first step that fails;
# a failed backup changes nothing.
set -eu
version=${1:?name a version, such as v1.0.1}
backup=/var/lib/letterbox/before-$version-$(date +%Y%m%dT%H%M%S)
cd "$(dirname "$0")/.."

as_letterbox() {
  systemd-run --quiet --pipe --wait --uid=letterbox --working-directory="$PWD" \
    -p EnvironmentFile=/etc/letterbox/letterbox.env -E DENO_DIR=/var/cache/letterbox /usr/bin/deno "$@"
}

before=$(git rev-parse HEAD)
git fetch --quiet --tags
git rev-parse --quiet --verify "$version^{commit}" >/dev/null
as_letterbox task backup --out "$backup"
git checkout --quiet "$version"
as_letterbox install
systemctl restart letterbox
echo "Letterbox is $version. Back: git checkout $before and systemctl restart letterbox; the backup is $backup."
