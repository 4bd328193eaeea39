// The way to find out a very old browser.
window.esriGeowConfig = { tokenExpiration: document.all && !window.atob ? 60 : 30 };
