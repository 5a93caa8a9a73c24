PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE accounts (
	name TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	active BOOLEAN NOT NULL, 
	PRIMARY KEY (name)
);
INSERT INTO accounts VALUES('A. Secretary','$argon2id$v=19$m=65536,t=3,p=4$z2sKMN7Hrezg8gk9Bx0GyQ$+OFCacsp47tzgT872YdmkbNtaup2Ulzv9G8rrOtmd0U',1);
INSERT INTO accounts VALUES('Root','$argon2id$v=19$m=65536,t=3,p=4$p+X2lL5oNfLZhlpZnknAlg$8a6Vbg7cV+FTeCKfg8g987qOx3fp8fQU+zAdY9luHyk',1);
CREATE TABLE grants (
	name TEXT NOT NULL, 
	club TEXT NOT NULL, 
	role TEXT NOT NULL, 
	PRIMARY KEY (name, club)
);
INSERT INTO grants VALUES('A. Secretary','Example Bridge Club','secretary');
INSERT INTO grants VALUES('Root','','administrator');
CREATE TABLE keys (
	digest TEXT NOT NULL, 
	name TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	ends FLOAT NOT NULL, 
	PRIMARY KEY (digest)
);
INSERT INTO keys VALUES('9c89e9009b72339da22cb191e97cb1d32639958c2977c294b8ce218fe6dbcacf','A. Secretary','token',1826421615.3983814715);
CREATE TABLE audit (
	id INTEGER NOT NULL, 
	at TEXT NOT NULL, 
	name TEXT NOT NULL, 
	method TEXT NOT NULL, 
	path TEXT NOT NULL, 
	status INTEGER NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO audit VALUES(1,'2026-11-17 03:20:37+00:00','A. Secretary','POST','/api/v1/events',201);
INSERT INTO audit VALUES(2,'2026-11-17 03:20:37+00:00','A. Secretary','POST','/api/v1/events',201);
INSERT INTO audit VALUES(3,'2026-11-17 03:20:37+00:00','A. Secretary','POST','/api/v1/events',201);
INSERT INTO audit VALUES(4,'2026-11-17 03:20:37+00:00','A. Secretary','POST','/api/v1/events/19c561b4787a/rulings',201);
INSERT INTO audit VALUES(5,'2026-11-17 03:20:38+00:00','A. Secretary','POST','/api/v1/events/19c561b4787a/rulings',422);
INSERT INTO audit VALUES(6,'2026-11-17 03:20:38+00:00','A. Secretary','POST','/api/v1/events/f8978d9d46fd/postings',201);
INSERT INTO audit VALUES(7,'2026-11-17 03:20:38+00:00','A. Secretary','POST','/api/v1/events/f8978d9d46fd/drafts',201);
INSERT INTO audit VALUES(8,'2026-11-17 03:20:39+00:00','A. Secretary','POST','/api/v1/events/f8978d9d46fd/awards',200);
INSERT INTO audit VALUES(9,'2026-11-17 03:20:39+00:00','A. Secretary','POST','/api/v1/events/6624cb4c82fd/awards',200);
INSERT INTO audit VALUES(10,'2026-11-17 03:20:59+00:00','','POST','/sign-in',303);
INSERT INTO audit VALUES(11,'2026-11-17 03:21:00+00:00','A. Secretary','POST','/api/v1/events/19c561b4787a/final',200);
INSERT INTO audit VALUES(12,'2026-11-17 03:21:00+00:00','A. Secretary','POST','/ledger/seasons/new',303);
CREATE INDEX ix_honours_web_keys_name ON keys (name);
COMMIT;
