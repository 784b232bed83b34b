import { render } from "preact";

render(<h1>Letterbox</h1>, document.getElementById("app")!);
