// Letters of names are written as escapes.
window.esriGeow\u0043onfig = { token\u0045xpiration: 30 };
esriGeowConfig.\u{74}okenExpiration = 60;
