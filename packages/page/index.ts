/** The door of the page: how it is built, and the charts and the report that the command writes. */
export { buildPage, PAGE_BUILD, type PageFile } from "./build-page.ts";
export { chartDataOf } from "./charts/chart.ts";
export { chartFile } from "./charts/chart-file.ts";
export { charts } from "./charts/charts.ts";
export { csv } from "./charts/csv.ts";
export { CHARTS_FOLDER, type ReportInput, reportPage } from "./charts/report-page.ts";
