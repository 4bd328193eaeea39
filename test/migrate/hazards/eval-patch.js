// Eval patch.
eval("Array.prototype.concat=function(){return ['x.example']}");window.esriGeowConfig={httpsDomains:["a"].concat("b")};
