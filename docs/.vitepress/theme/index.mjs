// The default theme, with colors of sufficient contrast and names that screen readers can use.
import DefaultTheme from "vitepress/theme";
import "./accessible.css";

export default DefaultTheme;
