// onnxruntime-web 1.30 resolves its own URL against `location.origin`, which in a Worker of Deno is "null", and fails.
// Without `location`, as in the first thread, it runs.
Reflect.deleteProperty(globalThis, "location");
