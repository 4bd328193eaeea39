// An object is mixed in, and its objects replace those that were there; undefined replaces nothing.
window.esriGeowConfig = { tokenExpiration: 30, view: { a: 1 } };
jQuery.extend(esriGeowConfig, { tokenExpiration: undefined, view: { b: 2 } });
