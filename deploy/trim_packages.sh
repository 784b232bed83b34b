#!/bin/sh
# Removes from Deno's cache what the service does not use of a package: of onnxruntime-web 125 of 140 MB.
#   DENO_DIR=/deno sh deploy/trim_packages.sh
set -eu
cache=${DENO_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/deno}
find "$cache/npm" -path '*/onnxruntime-web/*' -type f \
  ! -name package.json ! -name registry.json ! -name types.d.ts \
  ! -name ort.wasm.bundle.min.mjs ! -name 'ort-wasm-simd-threaded.mjs' ! -name ort-wasm-simd-threaded.wasm -delete
