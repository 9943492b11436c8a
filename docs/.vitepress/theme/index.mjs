// The default theme, with colors of sufficient contrast.
import DefaultTheme from "vitepress/theme";
import "./contrast.css";

export default DefaultTheme;
