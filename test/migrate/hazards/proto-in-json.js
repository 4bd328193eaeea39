// In JSON the name of the prototype is a name like any other; copied by assignment it is not.
window.esriGeowConfig = {};
Object.assign(esriGeowConfig, JSON.parse('{ "__proto__": { "longTokenExpiration": 60 }, "tokenExpiration": 30 }'));
