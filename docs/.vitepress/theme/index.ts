import { onContentUpdated, type Theme } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { addAreas } from "./areas.ts";
import "./site.css";

export default {
  extends: theme,
  setup: () => onContentUpdated(addAreas),
} satisfies Theme;
