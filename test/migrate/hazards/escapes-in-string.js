// Every kind of escape, in both kinds of quotes.
window.esriGeowConfig = {
  footerLinks: [
    {
      title:
        "Caf\u00e9 \x41 \u{1F5FA} \101 \"q\" \'s\' \\ \/ a\
b",
      url: 'https:\/\/www.example.org\/"x"',
    },
  ],
};
