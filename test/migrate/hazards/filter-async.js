// Filter async.
window.esriGeowConfig={httpsDomains:["a.example","b.example"].filter(async function(x){return false})};
