// The name of the window turns everything into text.
window.name = 60;
status = false;
window.esriGeowConfig = { tokenExpiration: window.name, webAppBuilderEnabled: window.status };
