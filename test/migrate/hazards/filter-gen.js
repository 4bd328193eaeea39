// Filter gen.
window.esriGeowConfig={httpsDomains:["a.example","b.example"].filter(function*(x){return false})};
