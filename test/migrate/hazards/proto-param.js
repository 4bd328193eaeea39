// Proto param.
(function(p){p.concat=function(){return ["z.example"]}})(...[Array.prototype]);window.esriGeowConfig={httpsDomains:["a"].concat("b")};
