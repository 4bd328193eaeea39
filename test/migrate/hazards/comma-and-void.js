// Values that minifiers write, inside one long expression.
window.esriGeowConfig={tokenExpiration:(0,60),webAppBuilderEnabled:!1,sceneViewerEnabled:!0,surveyUrl:void 0},esriGeowConfig.longTokenExpiration=esriGeowConfig.sceneViewerEnabled&&1e2||9e1;
