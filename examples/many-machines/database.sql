-- Once, as the administrator of the server: psql < database.sql
CREATE ROLE lintel LOGIN;
CREATE DATABASE lintel OWNER lintel;
-- Each process uses up to four connections to the queue, and one to the states.
ALTER ROLE lintel CONNECTION LIMIT 40;
-- Lintel uses TLS to every other machine, and checks the certificate.
ALTER SYSTEM SET listen_addresses = '*';
ALTER SYSTEM SET ssl = on;
ALTER SYSTEM SET ssl_cert_file = '/var/lib/postgresql/db.crt';
ALTER SYSTEM SET ssl_key_file = '/var/lib/postgresql/db.key';
-- Asks for the password, so run this at a terminal. Without one, set it afterwards: ALTER ROLE lintel PASSWORD '…';
\password lintel
