// Inside a frame of another page a setting differs.
window.esriGeowConfig = { tokenExpiration: window.top !== window.self ? 60 : 30 };
