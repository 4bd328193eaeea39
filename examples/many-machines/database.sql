-- Once, as whoever administers the server: psql --file database.sql
CREATE ROLE lintel LOGIN;
CREATE DATABASE lintel OWNER lintel;
-- Each serve and each worker takes two connections; psql asks for the password.
ALTER ROLE lintel CONNECTION LIMIT 40;
\password lintel
