// Var status.
var status=false; window.esriGeowConfig={webAppBuilderEnabled:status};
