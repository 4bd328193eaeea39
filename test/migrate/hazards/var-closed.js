// Var closed.
var closed=true; window.esriGeowConfig={webAppBuilderEnabled:closed};
