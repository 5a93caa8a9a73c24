PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version VALUES('0005');
CREATE TABLE members (
	id BIGINT NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (id)
);
INSERT INTO members VALUES(1);
INSERT INTO members VALUES(2);
INSERT INTO members VALUES(3);
INSERT INTO members VALUES(4);
INSERT INTO members VALUES(5);
INSERT INTO members VALUES(6);
INSERT INTO members VALUES(7);
INSERT INTO members VALUES(8);
INSERT INTO members VALUES(9);
INSERT INTO members VALUES(10);
INSERT INTO members VALUES(11);
INSERT INTO members VALUES(12);
CREATE TABLE people (
	member BIGINT NOT NULL, 
	number TEXT, 
	name TEXT NOT NULL, 
	sought TEXT NOT NULL, 
	visitor BOOLEAN NOT NULL, 
	opted_out BOOLEAN NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_people PRIMARY KEY (member), 
	CONSTRAINT uq_people_number UNIQUE (number), 
	CONSTRAINT fk_people_member_members FOREIGN KEY(member) REFERENCES members (id)
);
INSERT INTO people VALUES(1,'4001','Alma Reed','alma reed',0,0,'366de74bf40b4a3d36bdb71c19b2053b1daab56fd7c753284227bc11ea73fde1');
INSERT INTO people VALUES(2,'4002','Boris Lund','boris lund',0,0,'e446ad76d70f170c8de0aa70843c6dff68a124001678caa2efebc13b06ff9e4c');
INSERT INTO people VALUES(3,'4003','Carla Nunes','carla nunes',0,0,'16f26d0b741a5a16785f34fd462666bee1855c7955e1b0df0dcfea41e8ec5fe1');
INSERT INTO people VALUES(4,'4004','Dev Patel','dev patel',0,0,'7f61a02d13b23ccdd59cd5dfdc23b9b9231cd9b1ca19c08153c44517b48ceaea');
INSERT INTO people VALUES(5,'4005','Edith Moore','edith moore',0,0,'768166712719574dc28f28db00470f773bf09e1e11fc8e6e7cc63741d2b0fb5f');
INSERT INTO people VALUES(6,'4006','Farid Aziz','farid aziz',0,0,'914651d9535af875b457aae97f57b02d376d9099406856c6a8e862364830bec2');
INSERT INTO people VALUES(7,'4007','Greta Holm','greta holm',0,0,'e0bf75b962d99adb61b61fdd3d66a507c125464b4e4deedf983a7f5913550a49');
INSERT INTO people VALUES(8,'4008','Hugo Blanc','hugo blanc',0,0,'f6b6fb07d9cbf68ecc4a998550521b8245ede728ad4eaaf288cc879ed96b1086');
INSERT INTO people VALUES(9,'4009','Ines Costa','ines costa',0,0,'f483e80faee0255cb89b23e9fec8c42d9905e032b49a302c82850ea65d8fbf24');
INSERT INTO people VALUES(10,'4010','Jan Novak','jan novak',0,0,'4274fced42af4fd82c1d347333cb51381bac290ca7d3a3d68234132129f6c4ba');
INSERT INTO people VALUES(11,'4011','Kate Byrne','kate byrne',0,0,'64c256b5e6948eb6222fae7bdb05560a63d1d3fb66d9f1fa12e3e7d11ef0bb2e');
INSERT INTO people VALUES(12,'4012','Luis Vega','luis vega',0,0,'eb4b20488829bdeb154fdc46bcef4643a1f2c6dc28e8301f7adf86ddfcb460cd');
CREATE TABLE aliases (
	member BIGINT NOT NULL, 
	"into" BIGINT NOT NULL, 
	CONSTRAINT pk_aliases PRIMARY KEY (member), 
	CONSTRAINT fk_aliases_member_members FOREIGN KEY(member) REFERENCES members (id), 
	CONSTRAINT fk_aliases_into_members FOREIGN KEY("into") REFERENCES members (id)
);
CREATE TABLE kinds (
	id INTEGER NOT NULL, 
	scheme TEXT NOT NULL, 
	name TEXT NOT NULL, 
	colour TEXT NOT NULL, 
	decimals INTEGER NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_kinds PRIMARY KEY (id), 
	CONSTRAINT uq_kinds_scheme UNIQUE (scheme, name)
);
INSERT INTO kinds VALUES(1,'Scottish Bridge Union','local','black',0,'5173075bf7d425e120ba9ce7f4e9de4339ab5d2ffa2cfe900346c403501bf05c');
INSERT INTO kinds VALUES(2,'Scottish Bridge Union','national','red',0,'37446e71131e039a952f1cd969bd509761d7dcd37abcb21506b94863738b72d8');
INSERT INTO kinds VALUES(3,'Scottish Bridge Union','qualification','white',0,'50f7b3fdd24e63d7a78048c34f9318df25004287fa8b1e7773935f10539c0f16');
CREATE TABLE rulebooks (
	hash TEXT NOT NULL, 
	rulebook TEXT NOT NULL, 
	edition TEXT NOT NULL, 
	revision INTEGER NOT NULL, 
	body TEXT NOT NULL, 
	amended TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_rulebooks PRIMARY KEY (hash)
);
INSERT INTO rulebooks VALUES('2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','sbu-clubs-2016','Master Points Guide for Clubs, 1st September 2016',1,'Scottish Bridge Union','{}','6b4a59ca11cc9fe158a7443cff970bd95628b05cb02015f6c35b5aa15e0f18e3');
CREATE TABLE records (
	id BIGINT NOT NULL, 
	action TEXT NOT NULL, 
	at TEXT NOT NULL, 
	who TEXT NOT NULL, 
	why TEXT NOT NULL, 
	event TEXT NOT NULL, 
	title TEXT NOT NULL, 
	day TEXT NOT NULL, 
	club TEXT NOT NULL, 
	source TEXT NOT NULL, 
	results TEXT NOT NULL, 
	entrants TEXT NOT NULL, 
	rulebook TEXT, 
	facts TEXT NOT NULL, 
	explanation TEXT NOT NULL, 
	reverses BIGINT, 
	first_posting BIGINT NOT NULL, 
	postings INTEGER NOT NULL, 
	digest TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	CONSTRAINT pk_records PRIMARY KEY (id), 
	CONSTRAINT uq_records_reverses UNIQUE (reverses), 
	CONSTRAINT fk_records_rulebook_rulebooks FOREIGN KEY(rulebook) REFERENCES rulebooks (hash), 
	CONSTRAINT fk_records_reverses_records FOREIGN KEY(reverses) REFERENCES records (id)
);
INSERT INTO records VALUES(1,'award','2026-11-17T03:20:38+00:00','A. Secretary','','2017-01-14/example bridge club/club pairs','club pairs','2017-01-14','Example Bridge Club','club-pairs.csv','e89317a4aa9ce40f1392c05a974772c58784c2eef4844016a2d86d5749adbc0f','7d4c3985f425b190eec42aedf90b903a514a4e322eaf8e6afa8a5f48843f332a','2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','{"given":{"date":"2017-01-14","kind":"pairs","winners":"1"},"kind":"local","lists":[{"facts":{},"standings":[{"members":[1,2],"place":1,"players":[{"masterpoints":"=2501/2"},{"masterpoints":"=1241/4"}],"score":"=125/2"},{"members":[3,4],"place":2,"players":[{"masterpoints":"=88"},{"masterpoints":"=8183/4"}],"score":"=5417/100"},{"members":[5,6],"place":3,"players":[{"masterpoints":"=77/5"},{"masterpoints":"=201/10"}],"score":"=50","tied":2},{"members":[7,8],"place":3,"players":[{"masterpoints":"=501"},{"masterpoints":"=499"}],"score":"=50","tied":2},{"members":[9,10],"place":5,"players":[{"masterpoints":"=0"},{"masterpoints":"=21/4"}],"score":"=4583/100"},{"members":[11,12],"place":6,"players":[{"masterpoints":"=3654/5"},{"masterpoints":"=64"}],"score":"=75/2"}]}]}','{"awards":[{"award":"12","entrant":"1+2","place":1,"why":24},{"award":"6","entrant":"3+4","place":2,"why":33},{"award":"0","entrant":"5+6","place":3,"why":39},{"award":"0","entrant":"7+8","place":3,"why":39},{"award":"0","entrant":"9+10","place":5,"why":42},{"award":"0","entrant":"11+12","place":6,"why":42}],"choices":["The number of boards was not given: a single session of 24 is taken, within the 20 to 35 the scales are for.","Those who tie share the rounded awards of the places they cover, rounded up, and never get less than the last award."],"notices":[],"refusals":[],"steps":[["place","1","input","","","","",[],[],[],""],["entrants","6","input","pairs, players or teams in the ranking list","","","",[],[],[],""],["third","0.3333333333","parameter","","","","",["Chapter 1, Club award scales","the top third of the field"],[],[],""],["table_places","2","rule","The third of the field that the tables count decrements for.","entrants × third","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Tables 2, 3 and 4",""],[1,2],[],""],["winners","1","input","winners of a pairs event: 2 where each line is ranked by itself","","","",[],[],[],""],["event_type","one-winner-pairs","rule","Which of the scales a pairs event is on.","one-winner-pairs","one-winner-pairs","",["Chapter 1, Club award scales",""],[4],[],"winners = 1"],["decrement","one-winner-pairs 6, two-winner-pairs 10, teams 10, individual 3","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","Decrement"],[],[],""],["uncapped_top","12","rule","The decrements of the table added up.","table places × decrement[event type]","2 × 6","",["Chapter 1, Tables 2, 3 and 4",""],[3,5,6],[],""],["most_award","one-winner-pairs 96, two-winner-pairs 100, teams 100, individual 48","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","the maximum award is still"],[],[],""],["basic_top","12","rule","The winner''s award on the basic scale.","the smaller of (uncapped top, most award[event type])","the smaller of (12, 96)","",["Chapter 1, Tables 2, 3 and 4",""],[7,5,8],[],""],["uplift","1","rule","What the basic scale is multiplied by.","1","1","",["Chapter 2, Annual Club Major Championship (p11 HOTMPS)",""],[],[],""],["top","12","rule","The winner''s award.","basic top × uplift","12 × 1","",["Chapter 1, Club award scales",""],[9,10],[],""],["points","12","rule","What a place is awarded.","top","12","12 rounded up, in steps of 1",["Chapter 1, example 8",""],[0,11],[],"place = 1"],["covered_points","12","aggregate","points summed over the paid places this tie covers","","","",[],[12],[["place 1","12"]],""],["tied","1","input","","","","",[],[],[],""],["shared_points","12","rule","Those who tie share the awards of the places they cover.","covered points / tied","12 / 1","12 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[13,14],[],""],["default_boards","24","parameter","","","","",["Chapter 1, Club award scales (our reading)","single-session events involving between 20 and 35 boards"],[],[],""],["boards","24","rule","The boards of a single session that does not say.","default boards","24","",["Chapter 1, Club award scales (our reading)",""],[16],[],""],["long_session","36","parameter","","","","",["Chapter 1, Club award scales","more than 36 boards"],[],[],""],["paid_share","0.3333333333","rule","The share of the field that is awarded.","third","1/3","",["Chapter 1, Club award scales",""],[17,18,2],[],"boards ≤ long session (24 ≤ 36)"],["places","2","rule","How many places are awarded.","entrants × paid share","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Club award scales",""],[1,19],[],""],["last_award","0","rule","The award of the last qualifying place; 0 of any other.","0","0","",["Chapter 1, example 7 (p10 HOTMPS)",""],[0,20],[],"place ≠ places (1 ≠ 2)"],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[21],[["place 1","0"]],""],["placing_points","12","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (12, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[15,22],[],""],["award","12","rule","What each player is awarded.","placing points","12","",["Chapter 1, General conditions (p10 HOTMPS)",""],[23],[],""],["place","2","input","","","","",[],[],[],""],["step","6","rule","The equal decrement, which is also the last award.","top / places","12 / 2","",["Chapter 1, Club award scales",""],[11,20],[],""],["points","6","rule","What a place is awarded.","step × (places + 1 − place)","6 × (2 + 1 − 2)","6 rounded up, in steps of 1",["Chapter 1, example 8",""],[25,20,26],[],"place ≠ 1 (2 ≠ 1)"],["covered_points","6","aggregate","points summed over the paid places this tie covers","","","",[],[27],[["place 2","6"]],""],["shared_points","6","rule","Those who tie share the awards of the places they cover.","covered points / tied","6 / 1","6 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[28,14],[],""],["last_award","6","rule","The award of the last qualifying place; 0 of any other.","points","6","",["Chapter 1, example 7 (p10 HOTMPS)",""],[27,25,20],[],"place = places"],["covered_last_award","6","aggregate","last award summed over the paid places this tie covers","","","",[],[30],[["place 2","6"]],""],["placing_points","6","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (6, 6)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[29,31],[],""],["award","6","rule","What each player is awarded.","placing points","6","",["Chapter 1, General conditions (p10 HOTMPS)",""],[32],[],""],["covered_points","0","aggregate","points summed over the paid places this tie covers","","","",[],[],[],""],["tied","2","input","","","","",[],[],[],""],["shared_points","0","rule","Those who tie share the awards of the places they cover.","covered points / tied","0 / 2","0 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[34,35],[],""],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[],[],""],["placing_points","0","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (0, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[36,37],[],""],["award","0","rule","What each player is awarded.","placing points","0","",["Chapter 1, General conditions (p10 HOTMPS)",""],[38],[],""],["shared_points","0","rule","Those who tie share the awards of the places they cover.","covered points / tied","0 / 1","0 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[34,14],[],""],["placing_points","0","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (0, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[40,37],[],""],["award","0","rule","What each player is awarded.","placing points","0","",["Chapter 1, General conditions (p10 HOTMPS)",""],[41],[],""]]}',NULL,1,4,'76945db78664bbd6a1d553be53747b5c7659be6e01a5f8990061f13bedc4560e','','2820f508bd424bfbd4ada492cfe0aa4b7e99e62cbf7b47abd109046c661445ef');
CREATE TABLE postings (
	id BIGINT NOT NULL, 
	record BIGINT NOT NULL, 
	member BIGINT NOT NULL, 
	kind INTEGER NOT NULL, 
	amount BIGINT NOT NULL, 
	entrant TEXT NOT NULL, 
	reverses BIGINT, 
	CONSTRAINT pk_postings PRIMARY KEY (id), 
	CONSTRAINT fk_postings_record_records FOREIGN KEY(record) REFERENCES records (id), 
	CONSTRAINT fk_postings_member_members FOREIGN KEY(member) REFERENCES members (id), 
	CONSTRAINT fk_postings_kind_kinds FOREIGN KEY(kind) REFERENCES kinds (id)
);
INSERT INTO postings VALUES(1,1,1,1,12,'1+2',NULL);
INSERT INTO postings VALUES(2,1,2,1,12,'1+2',NULL);
INSERT INTO postings VALUES(3,1,3,1,6,'3+4',NULL);
INSERT INTO postings VALUES(4,1,4,1,6,'3+4',NULL);
CREATE TABLE chain (
	id INTEGER NOT NULL, 
	records BIGINT NOT NULL, 
	postings BIGINT NOT NULL, 
	members BIGINT NOT NULL, 
	head TEXT NOT NULL, 
	CONSTRAINT pk_chain PRIMARY KEY (id)
);
INSERT INTO chain VALUES(1,1,4,12,'2820f508bd424bfbd4ada492cfe0aa4b7e99e62cbf7b47abd109046c661445ef');
CREATE TABLE drafts (
	id BIGINT NOT NULL, 
	status TEXT NOT NULL, 
	at TEXT NOT NULL, 
	who TEXT NOT NULL, 
	content TEXT NOT NULL, 
	record BIGINT, 
	settled_by TEXT NOT NULL, 
	remark TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_drafts PRIMARY KEY (id), 
	CONSTRAINT fk_drafts_record_records FOREIGN KEY(record) REFERENCES records (id)
);
INSERT INTO drafts VALUES(1,'pending','2026-11-17T03:20:38+00:00','A. Secretary','{"amended":{},"club":"Example Bridge Club","day":"2017-02-14","facts":"{\"given\":{\"date\":\"2017-02-14\",\"kind\":\"pairs\",\"winners\":\"1\"},\"kind\":\"local\",\"lists\":[{\"facts\":{},\"standings\":[{\"members\":[1,2],\"place\":1,\"players\":[{\"masterpoints\":\"=2501/2\"},{\"masterpoints\":\"=1241/4\"}],\"score\":\"=125/2\"},{\"members\":[3,4],\"place\":2,\"players\":[{\"masterpoints\":\"=88\"},{\"masterpoints\":\"=8183/4\"}],\"score\":\"=5417/100\"},{\"members\":[5,6],\"place\":3,\"players\":[{\"masterpoints\":\"=77/5\"},{\"masterpoints\":\"=201/10\"}],\"score\":\"=50\",\"tied\":2},{\"members\":[7,8],\"place\":3,\"players\":[{\"masterpoints\":\"=501\"},{\"masterpoints\":\"=499\"}],\"score\":\"=50\",\"tied\":2},{\"members\":[9,10],\"place\":5,\"players\":[{\"masterpoints\":\"=0\"},{\"masterpoints\":\"=21/4\"}],\"score\":\"=4583/100\"},{\"members\":[11,12],\"place\":6,\"players\":[{\"masterpoints\":\"=3654/5\"},{\"masterpoints\":\"=64\"}],\"score\":\"=75/2\"}]}]}","hash":"2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500","key":"2017-02-14/example bridge club/club pairs","rulebook":"sbu-clubs-2016","source":"club-pairs.csv","title":"club pairs"}',NULL,'','','feffbc0686225354166376c1fe8164ee1a0ae3e7fc669dca73a29952ec6980ab');
CREATE TABLE releasers (
	name TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_releasers PRIMARY KEY (name)
);
CREATE TABLE submissions (
	id BIGINT NOT NULL, 
	since TEXT NOT NULL, 
	until TEXT NOT NULL, 
	status TEXT NOT NULL, 
	at TEXT NOT NULL, 
	who TEXT NOT NULL, 
	remark TEXT NOT NULL, 
	head TEXT NOT NULL, 
	records TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_submissions PRIMARY KEY (id)
);
CREATE TABLE tallies (
	name TEXT NOT NULL, 
	rows BIGINT NOT NULL, 
	digest TEXT NOT NULL, 
	CONSTRAINT pk_tallies PRIMARY KEY (name)
);
INSERT INTO tallies VALUES('people',12,'73085c12090fa15e6e5c9d83bf4633407f4d675ab1a8274e5f920347766f2989');
INSERT INTO tallies VALUES('kinds',3,'36c0dad7368445ac1215c8fdd2c7960b7d7cc37b7a1b52f2766cd370700c8d92');
INSERT INTO tallies VALUES('rulebooks',1,'6b4a59ca11cc9fe158a7443cff970bd95628b05cb02015f6c35b5aa15e0f18e3');
INSERT INTO tallies VALUES('drafts',1,'feffbc0686225354166376c1fe8164ee1a0ae3e7fc669dca73a29952ec6980ab');
INSERT INTO tallies VALUES('releasers',0,'0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO tallies VALUES('submissions',0,'0000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO tallies VALUES('requests',0,'0000000000000000000000000000000000000000000000000000000000000000');
CREATE TABLE requests (
	"key" TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	at TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_requests PRIMARY KEY ("key")
);
CREATE INDEX ix_people_sought ON people (sought);
CREATE INDEX ix_aliases_into ON aliases ("into");
CREATE INDEX ix_records_action ON records (action);
CREATE INDEX ix_records_event ON records (event);
CREATE INDEX ix_records_day ON records (day);
CREATE INDEX ix_records_results ON records (results);
CREATE INDEX ix_records_entrants ON records (entrants);
CREATE INDEX ix_postings_member ON postings (member, id);
CREATE TRIGGER records_no_update BEFORE UPDATE ON records BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to: correct a posting by reversing it'); END;
CREATE TRIGGER records_no_delete BEFORE DELETE ON records BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to: correct a posting by reversing it'); END;
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to: correct a posting by reversing it'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'the ledger is only ever added to: correct a posting by reversing it'); END;
CREATE INDEX ix_drafts_status ON drafts (status);
COMMIT;
