// A text that ends in the middle of a letter.
window.esriGeowConfig = { tokenExpiration: 30, footerLinks: [{ title: "🗺".charAt(0), url: "https://a.example.org" }] };
