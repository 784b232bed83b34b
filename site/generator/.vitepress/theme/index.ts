import theme from "vitepress/theme-without-fonts";
import "../../dist/tokens.css";
import "./style.css";

export default theme;
