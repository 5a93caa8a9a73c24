BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0005');
CREATE TABLE aliases (
	member BIGINT NOT NULL, 
	"into" BIGINT NOT NULL, 
	CONSTRAINT pk_aliases PRIMARY KEY (member), 
	CONSTRAINT fk_aliases_member_members FOREIGN KEY(member) REFERENCES members (id), 
	CONSTRAINT fk_aliases_into_members FOREIGN KEY("into") REFERENCES members (id)
);
INSERT INTO "aliases" VALUES(13,1);
CREATE TABLE chain (
	id INTEGER NOT NULL, 
	records BIGINT NOT NULL, 
	postings BIGINT NOT NULL, 
	members BIGINT NOT NULL, 
	head TEXT NOT NULL, 
	CONSTRAINT pk_chain PRIMARY KEY (id)
);
INSERT INTO "chain" VALUES(1,7,17,15,'cf0a329dbaabdcaa6ab077ece358bb26e3bfef310f1f67b5b514da31f19f845a');
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
INSERT INTO "drafts" VALUES(1,'pending','2026-11-16T17:23:42+00:00','Eve','{"amended":{},"club":"Club","day":"2017-03-01","facts":"{\"given\":{\"date\":\"2017-03-01\",\"kind\":\"pairs\",\"winners\":\"1\"},\"kind\":\"local\",\"lists\":[{\"facts\":{},\"standings\":[{\"members\":[1,2],\"place\":1,\"score\":\"=69\"},{\"members\":[3,4],\"place\":2,\"score\":\"=68\"},{\"members\":[5,6],\"place\":3,\"score\":\"=67\"},{\"members\":[7,8],\"place\":4,\"score\":\"=66\"},{\"members\":[9,10],\"place\":5,\"score\":\"=65\"},{\"members\":[11,12],\"place\":6,\"score\":\"=64\"}]}]}","hash":"2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500","key":"2017-03-01/club/drafted","rulebook":"sbu-clubs-2016","source":"night.csv","title":"Drafted"}',NULL,'','','e650f120e753252705d6e2ba0626439a6c8f2b968fbc895840c5a929112e63f6');
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
INSERT INTO "kinds" VALUES(1,'Scottish Bridge Union','local','black',0,'5173075bf7d425e120ba9ce7f4e9de4339ab5d2ffa2cfe900346c403501bf05c');
INSERT INTO "kinds" VALUES(2,'Scottish Bridge Union','national','red',0,'37446e71131e039a952f1cd969bd509761d7dcd37abcb21506b94863738b72d8');
INSERT INTO "kinds" VALUES(3,'Scottish Bridge Union','qualification','white',0,'50f7b3fdd24e63d7a78048c34f9318df25004287fa8b1e7773935f10539c0f16');
CREATE TABLE members (
	id BIGINT NOT NULL, 
	CONSTRAINT pk_members PRIMARY KEY (id)
);
INSERT INTO "members" VALUES(1);
INSERT INTO "members" VALUES(2);
INSERT INTO "members" VALUES(3);
INSERT INTO "members" VALUES(4);
INSERT INTO "members" VALUES(5);
INSERT INTO "members" VALUES(6);
INSERT INTO "members" VALUES(7);
INSERT INTO "members" VALUES(8);
INSERT INTO "members" VALUES(9);
INSERT INTO "members" VALUES(10);
INSERT INTO "members" VALUES(11);
INSERT INTO "members" VALUES(12);
INSERT INTO "members" VALUES(13);
INSERT INTO "members" VALUES(14);
INSERT INTO "members" VALUES(15);
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
INSERT INTO "people" VALUES(1,'101a','Ann 1','ann 1',0,0,'55a41e8f1b46b38066eb1a4247aee433ee6776d8967109b8fb6e1b00093d62f0');
INSERT INTO "people" VALUES(2,'101b','Bob 1','bob 1',0,0,'8fae52c32e1b9b979536207f87e9c46dbde31dc0463f97cce4bddcea7927bd2a');
INSERT INTO "people" VALUES(3,'102a','Ann 2','ann 2',0,0,'8b1dd86bd9386fed98deb17b7310dc24ecff9599ea19bc5cecbd075d6d054dc9');
INSERT INTO "people" VALUES(4,'102b','Bob 2','bob 2',0,0,'89057707bf1c69432fbb10aedd500b2fc98e4d779850a0e94e3c762fe041f0c7');
INSERT INTO "people" VALUES(5,'103a','Ann 3','ann 3',0,0,'93624a4004aeb9af6c8610be2de70b703a9c07d8cf2d9ad5d2e72c1b4873288f');
INSERT INTO "people" VALUES(6,'103b','Bob 3','bob 3',0,0,'732c7eb8ecfc3b804622fcae927e101ca090e16ed37205ae9fb94d14dd2a3747');
INSERT INTO "people" VALUES(7,'104a','Ann 4','ann 4',0,0,'ce8d473657536eda397b04459bbe35bb79883d3ceb4e26d12ce274069b9c2e8d');
INSERT INTO "people" VALUES(8,'104b','Bob 4','bob 4',0,0,'5d7656cd454bbd64b9d46f750f90b9cc622ae140d737139871ce9488475c8530');
INSERT INTO "people" VALUES(9,'105a','Ann 5','ann 5',0,0,'882391f7a830ca9abc891bc99f30e1c40ef89c6f95777cdc7f77796a1bb55a86');
INSERT INTO "people" VALUES(10,'105b','Bob 5','bob 5',0,0,'51a386b89ea9a8b8018cae1e37323f3a575377351bbd92382bc7c76f1bf6ef36');
INSERT INTO "people" VALUES(11,'106a','Ann 6','ann 6',0,0,'ceea1a10d869c3c4831394e17fec024dbafe2468a90d1295d08f9961f0665fd0');
INSERT INTO "people" VALUES(12,'106b','Bob 6','bob 6',0,0,'a7ef7a80a483cd6f873094e62c76984166045d9ea75b49086f5b25b531cb11df');
INSERT INTO "people" VALUES(13,NULL,'Ann 1 again','ann 1 again',0,0,'684122db4ddc0d08b77a98989c20ee2d44bc941c543b7dd15342491656242ecd');
INSERT INTO "people" VALUES(15,'900','Old Hand','old hand',0,0,'88b5ae7cd18693196ff0f5a84132fe77eec476fda13b92a9727e3b8fecee40c4');
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
INSERT INTO "postings" VALUES(1,1,1,1,12,'1+2',NULL);
INSERT INTO "postings" VALUES(2,1,2,1,12,'1+2',NULL);
INSERT INTO "postings" VALUES(3,1,3,1,6,'3+4',NULL);
INSERT INTO "postings" VALUES(4,1,4,1,6,'3+4',NULL);
INSERT INTO "postings" VALUES(5,2,11,1,12,'11+12',NULL);
INSERT INTO "postings" VALUES(6,2,12,1,12,'11+12',NULL);
INSERT INTO "postings" VALUES(7,2,9,1,6,'9+10',NULL);
INSERT INTO "postings" VALUES(8,2,10,1,6,'9+10',NULL);
INSERT INTO "postings" VALUES(9,3,1,1,-12,'1+2',1);
INSERT INTO "postings" VALUES(10,3,2,1,-12,'1+2',2);
INSERT INTO "postings" VALUES(11,3,3,1,-6,'3+4',3);
INSERT INTO "postings" VALUES(12,3,4,1,-6,'3+4',4);
INSERT INTO "postings" VALUES(13,6,5,1,12,'5+6',NULL);
INSERT INTO "postings" VALUES(14,6,6,1,12,'5+6',NULL);
INSERT INTO "postings" VALUES(15,6,1,1,6,'1+2',NULL);
INSERT INTO "postings" VALUES(16,6,2,1,6,'1+2',NULL);
INSERT INTO "postings" VALUES(17,7,15,1,250,'',NULL);
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
INSERT INTO "records" VALUES(1,'award','2026-11-16T17:23:42+00:00','Eve','','2017-01-14/club/club night','Club night','2017-01-14','Club','night.csv','8617856b684cdbd52fee6702defd067b896eade8f3925ffbe50acbe09eb7b962','7d4c3985f425b190eec42aedf90b903a514a4e322eaf8e6afa8a5f48843f332a','2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','{"given":{"date":"2017-01-14","kind":"pairs","winners":"1"},"kind":"local","lists":[{"facts":{},"standings":[{"members":[1,2],"place":1,"score":"=69"},{"members":[3,4],"place":2,"score":"=68"},{"members":[5,6],"place":3,"score":"=67"},{"members":[7,8],"place":4,"score":"=66"},{"members":[9,10],"place":5,"score":"=65"},{"members":[11,12],"place":6,"score":"=64"}]}]}','{"awards":[{"award":"12","entrant":"1+2","place":1,"why":24},{"award":"6","entrant":"3+4","place":2,"why":33},{"award":"0","entrant":"5+6","place":3,"why":38},{"award":"0","entrant":"7+8","place":4,"why":38},{"award":"0","entrant":"9+10","place":5,"why":38},{"award":"0","entrant":"11+12","place":6,"why":38}],"choices":["The number of boards was not given: a single session of 24 is taken, within the 20 to 35 the scales are for."],"notices":[],"refusals":[],"steps":[["place","1","input","","","","",[],[],[],""],["entrants","6","input","pairs, players or teams in the ranking list","","","",[],[],[],""],["third","0.3333333333","parameter","","","","",["Chapter 1, Club award scales","the top third of the field"],[],[],""],["table_places","2","rule","The third of the field that the tables count decrements for.","entrants × third","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Tables 2, 3 and 4",""],[1,2],[],""],["winners","1","input","winners of a pairs event: 2 where each line is ranked by itself","","","",[],[],[],""],["event_type","one-winner-pairs","rule","Which of the scales a pairs event is on.","one-winner-pairs","one-winner-pairs","",["Chapter 1, Club award scales",""],[4],[],"winners = 1"],["decrement","one-winner-pairs 6, two-winner-pairs 10, teams 10, individual 3","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","Decrement"],[],[],""],["uncapped_top","12","rule","The decrements of the table added up.","table places × decrement[event type]","2 × 6","",["Chapter 1, Tables 2, 3 and 4",""],[3,5,6],[],""],["most_award","one-winner-pairs 96, two-winner-pairs 100, teams 100, individual 48","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","the maximum award is still"],[],[],""],["basic_top","12","rule","The winner''s award on the basic scale.","the smaller of (uncapped top, most award[event type])","the smaller of (12, 96)","",["Chapter 1, Tables 2, 3 and 4",""],[7,5,8],[],""],["uplift","1","rule","What the basic scale is multiplied by.","1","1","",["Chapter 2, Annual Club Major Championship (p11 HOTMPS)",""],[],[],""],["top","12","rule","The winner''s award.","basic top × uplift","12 × 1","",["Chapter 1, Club award scales",""],[9,10],[],""],["points","12","rule","What a place is awarded.","top","12","12 rounded up, in steps of 1",["Chapter 1, example 8",""],[0,11],[],"place = 1"],["covered_points","12","aggregate","points summed over the paid places this tie covers","","","",[],[12],[["place 1","12"]],""],["tied","1","input","","","","",[],[],[],""],["shared_points","12","rule","Those who tie share the awards of the places they cover.","covered points / tied","12 / 1","12 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[13,14],[],""],["default_boards","24","parameter","","","","",["Chapter 1, Club award scales (our reading)","single-session events involving between 20 and 35 boards"],[],[],""],["boards","24","rule","The boards of a single session that does not say.","default boards","24","",["Chapter 1, Club award scales (our reading)",""],[16],[],""],["long_session","36","parameter","","","","",["Chapter 1, Club award scales","more than 36 boards"],[],[],""],["paid_share","0.3333333333","rule","The share of the field that is awarded.","third","1/3","",["Chapter 1, Club award scales",""],[17,18,2],[],"boards ≤ long session (24 ≤ 36)"],["places","2","rule","How many places are awarded.","entrants × paid share","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Club award scales",""],[1,19],[],""],["last_award","0","rule","The award of the last qualifying place; 0 of any other.","0","0","",["Chapter 1, example 7 (p10 HOTMPS)",""],[0,20],[],"place ≠ places (1 ≠ 2)"],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[21],[["place 1","0"]],""],["placing_points","12","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (12, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[15,22],[],""],["award","12","rule","What each player is awarded.","placing points","12","",["Chapter 1, General conditions (p10 HOTMPS)",""],[23],[],""],["place","2","input","","","","",[],[],[],""],["step","6","rule","The equal decrement, which is also the last award.","top / places","12 / 2","",["Chapter 1, Club award scales",""],[11,20],[],""],["points","6","rule","What a place is awarded.","step × (places + 1 − place)","6 × (2 + 1 − 2)","6 rounded up, in steps of 1",["Chapter 1, example 8",""],[25,20,26],[],"place ≠ 1 (2 ≠ 1)"],["covered_points","6","aggregate","points summed over the paid places this tie covers","","","",[],[27],[["place 2","6"]],""],["shared_points","6","rule","Those who tie share the awards of the places they cover.","covered points / tied","6 / 1","6 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[28,14],[],""],["last_award","6","rule","The award of the last qualifying place; 0 of any other.","points","6","",["Chapter 1, example 7 (p10 HOTMPS)",""],[27,25,20],[],"place = places"],["covered_last_award","6","aggregate","last award summed over the paid places this tie covers","","","",[],[30],[["place 2","6"]],""],["placing_points","6","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (6, 6)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[29,31],[],""],["award","6","rule","What each player is awarded.","placing points","6","",["Chapter 1, General conditions (p10 HOTMPS)",""],[32],[],""],["covered_points","0","aggregate","points summed over the paid places this tie covers","","","",[],[],[],""],["shared_points","0","rule","Those who tie share the awards of the places they cover.","covered points / tied","0 / 1","0 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[34,14],[],""],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[],[],""],["placing_points","0","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (0, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[35,36],[],""],["award","0","rule","What each player is awarded.","placing points","0","",["Chapter 1, General conditions (p10 HOTMPS)",""],[37],[],""]]}',NULL,1,4,'76945db78664bbd6a1d553be53747b5c7659be6e01a5f8990061f13bedc4560e','','39361cd29b3369b739a5e3992f793f5f485c8f7f6bb4dedc254076ece67d1682');
INSERT INTO "records" VALUES(2,'award','2026-11-16T17:23:42+00:00','Eve','','2017-02-01/club/late','Late','2017-02-01','Club','night.csv','27c816aa08640c39c9f3d389e00a218b6148b57e10c40229f6b947297a5dab9b','7d4c3985f425b190eec42aedf90b903a514a4e322eaf8e6afa8a5f48843f332a','2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','{"given":{"date":"2017-02-01","kind":"pairs","winners":"1"},"kind":"local","lists":[{"facts":{},"standings":[{"members":[11,12],"place":1,"score":"=69"},{"members":[9,10],"place":2,"score":"=68"},{"members":[7,8],"place":3,"score":"=67"},{"members":[5,6],"place":4,"score":"=66"},{"members":[3,4],"place":5,"score":"=65"},{"members":[1,2],"place":6,"score":"=64"}]}]}','{"awards":[{"award":"12","entrant":"11+12","place":1,"why":24},{"award":"6","entrant":"9+10","place":2,"why":33},{"award":"0","entrant":"7+8","place":3,"why":38},{"award":"0","entrant":"5+6","place":4,"why":38},{"award":"0","entrant":"3+4","place":5,"why":38},{"award":"0","entrant":"1+2","place":6,"why":38}],"choices":["The number of boards was not given: a single session of 24 is taken, within the 20 to 35 the scales are for."],"notices":[],"refusals":[],"steps":[["place","1","input","","","","",[],[],[],""],["entrants","6","input","pairs, players or teams in the ranking list","","","",[],[],[],""],["third","0.3333333333","parameter","","","","",["Chapter 1, Club award scales","the top third of the field"],[],[],""],["table_places","2","rule","The third of the field that the tables count decrements for.","entrants × third","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Tables 2, 3 and 4",""],[1,2],[],""],["winners","1","input","winners of a pairs event: 2 where each line is ranked by itself","","","",[],[],[],""],["event_type","one-winner-pairs","rule","Which of the scales a pairs event is on.","one-winner-pairs","one-winner-pairs","",["Chapter 1, Club award scales",""],[4],[],"winners = 1"],["decrement","one-winner-pairs 6, two-winner-pairs 10, teams 10, individual 3","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","Decrement"],[],[],""],["uncapped_top","12","rule","The decrements of the table added up.","table places × decrement[event type]","2 × 6","",["Chapter 1, Tables 2, 3 and 4",""],[3,5,6],[],""],["most_award","one-winner-pairs 96, two-winner-pairs 100, teams 100, individual 48","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","the maximum award is still"],[],[],""],["basic_top","12","rule","The winner''s award on the basic scale.","the smaller of (uncapped top, most award[event type])","the smaller of (12, 96)","",["Chapter 1, Tables 2, 3 and 4",""],[7,5,8],[],""],["uplift","1","rule","What the basic scale is multiplied by.","1","1","",["Chapter 2, Annual Club Major Championship (p11 HOTMPS)",""],[],[],""],["top","12","rule","The winner''s award.","basic top × uplift","12 × 1","",["Chapter 1, Club award scales",""],[9,10],[],""],["points","12","rule","What a place is awarded.","top","12","12 rounded up, in steps of 1",["Chapter 1, example 8",""],[0,11],[],"place = 1"],["covered_points","12","aggregate","points summed over the paid places this tie covers","","","",[],[12],[["place 1","12"]],""],["tied","1","input","","","","",[],[],[],""],["shared_points","12","rule","Those who tie share the awards of the places they cover.","covered points / tied","12 / 1","12 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[13,14],[],""],["default_boards","24","parameter","","","","",["Chapter 1, Club award scales (our reading)","single-session events involving between 20 and 35 boards"],[],[],""],["boards","24","rule","The boards of a single session that does not say.","default boards","24","",["Chapter 1, Club award scales (our reading)",""],[16],[],""],["long_session","36","parameter","","","","",["Chapter 1, Club award scales","more than 36 boards"],[],[],""],["paid_share","0.3333333333","rule","The share of the field that is awarded.","third","1/3","",["Chapter 1, Club award scales",""],[17,18,2],[],"boards ≤ long session (24 ≤ 36)"],["places","2","rule","How many places are awarded.","entrants × paid share","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Club award scales",""],[1,19],[],""],["last_award","0","rule","The award of the last qualifying place; 0 of any other.","0","0","",["Chapter 1, example 7 (p10 HOTMPS)",""],[0,20],[],"place ≠ places (1 ≠ 2)"],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[21],[["place 1","0"]],""],["placing_points","12","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (12, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[15,22],[],""],["award","12","rule","What each player is awarded.","placing points","12","",["Chapter 1, General conditions (p10 HOTMPS)",""],[23],[],""],["place","2","input","","","","",[],[],[],""],["step","6","rule","The equal decrement, which is also the last award.","top / places","12 / 2","",["Chapter 1, Club award scales",""],[11,20],[],""],["points","6","rule","What a place is awarded.","step × (places + 1 − place)","6 × (2 + 1 − 2)","6 rounded up, in steps of 1",["Chapter 1, example 8",""],[25,20,26],[],"place ≠ 1 (2 ≠ 1)"],["covered_points","6","aggregate","points summed over the paid places this tie covers","","","",[],[27],[["place 2","6"]],""],["shared_points","6","rule","Those who tie share the awards of the places they cover.","covered points / tied","6 / 1","6 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[28,14],[],""],["last_award","6","rule","The award of the last qualifying place; 0 of any other.","points","6","",["Chapter 1, example 7 (p10 HOTMPS)",""],[27,25,20],[],"place = places"],["covered_last_award","6","aggregate","last award summed over the paid places this tie covers","","","",[],[30],[["place 2","6"]],""],["placing_points","6","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (6, 6)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[29,31],[],""],["award","6","rule","What each player is awarded.","placing points","6","",["Chapter 1, General conditions (p10 HOTMPS)",""],[32],[],""],["covered_points","0","aggregate","points summed over the paid places this tie covers","","","",[],[],[],""],["shared_points","0","rule","Those who tie share the awards of the places they cover.","covered points / tied","0 / 1","0 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[34,14],[],""],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[],[],""],["placing_points","0","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (0, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[35,36],[],""],["award","0","rule","What each player is awarded.","placing points","0","",["Chapter 1, General conditions (p10 HOTMPS)",""],[37],[],""]]}',NULL,5,4,'c371e223d332bc6ad515e60c2b703d6ebbb2cac726a428ce37f6ccb1bebae347','39361cd29b3369b739a5e3992f793f5f485c8f7f6bb4dedc254076ece67d1682','efe1ce19c9515f41a2d4a6169ccad5feb669e41140e808acf0828005d569eba3');
INSERT INTO "records" VALUES(3,'reversal','2026-11-16T17:23:42+00:00','Eve','void','2017-01-14/club/club night','Club night','2017-01-14','Club','','','',NULL,'{"reverses":1}','',1,9,4,'97ab435ee803401aea92693adbb48556661476849e23ad3529ae9e97a5c08a7a','efe1ce19c9515f41a2d4a6169ccad5feb669e41140e808acf0828005d569eba3','482f3d93c9768855cce94d850b3426d72c576bfd190efda73bd4e762b0441ca2');
INSERT INTO "records" VALUES(4,'merge','2026-11-16T17:23:42+00:00','Eve','twice','','','','','','','',NULL,'{"into":1,"member":13}','',NULL,13,0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','482f3d93c9768855cce94d850b3426d72c576bfd190efda73bd4e762b0441ca2','13ac49297d2c3bde68c8e2dec81c942761ec14e149b8fa2ea822f673c5e6bced');
INSERT INTO "records" VALUES(5,'erasure','2026-11-16T17:23:42+00:00','Eve','asked','','','','','','','',NULL,'{"members":[14]}','',NULL,13,0,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','13ac49297d2c3bde68c8e2dec81c942761ec14e149b8fa2ea822f673c5e6bced','4193bb5728fd5b2520a10ab83e37163db1ec0f3d6b257c7174832f635f3ffebe');
INSERT INTO "records" VALUES(6,'award','2026-11-16T17:23:42+00:00','Eve','','/club/undated','Undated','','Club','night.csv','37e625cdaef975537cc804fb036bbc081b8d4fdf4817f62ba8fc45172512b3a2','7d4c3985f425b190eec42aedf90b903a514a4e322eaf8e6afa8a5f48843f332a','2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','{"given":{"kind":"pairs","winners":"1"},"kind":"local","lists":[{"facts":{},"standings":[{"members":[5,6],"place":1,"score":"=69"},{"members":[1,2],"place":2,"score":"=68"},{"members":[3,4],"place":3,"score":"=67"},{"members":[7,8],"place":4,"score":"=66"},{"members":[9,10],"place":5,"score":"=65"},{"members":[11,12],"place":6,"score":"=64"}]}]}','{"awards":[{"award":"12","entrant":"5+6","place":1,"why":24},{"award":"6","entrant":"1+2","place":2,"why":33},{"award":"0","entrant":"3+4","place":3,"why":38},{"award":"0","entrant":"7+8","place":4,"why":38},{"award":"0","entrant":"9+10","place":5,"why":38},{"award":"0","entrant":"11+12","place":6,"why":38}],"choices":["The number of boards was not given: a single session of 24 is taken, within the 20 to 35 the scales are for."],"notices":[],"refusals":[],"steps":[["place","1","input","","","","",[],[],[],""],["entrants","6","input","pairs, players or teams in the ranking list","","","",[],[],[],""],["third","0.3333333333","parameter","","","","",["Chapter 1, Club award scales","the top third of the field"],[],[],""],["table_places","2","rule","The third of the field that the tables count decrements for.","entrants × third","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Tables 2, 3 and 4",""],[1,2],[],""],["winners","1","input","winners of a pairs event: 2 where each line is ranked by itself","","","",[],[],[],""],["event_type","one-winner-pairs","rule","Which of the scales a pairs event is on.","one-winner-pairs","one-winner-pairs","",["Chapter 1, Club award scales",""],[4],[],"winners = 1"],["decrement","one-winner-pairs 6, two-winner-pairs 10, teams 10, individual 3","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","Decrement"],[],[],""],["uncapped_top","12","rule","The decrements of the table added up.","table places × decrement[event type]","2 × 6","",["Chapter 1, Tables 2, 3 and 4",""],[3,5,6],[],""],["most_award","one-winner-pairs 96, two-winner-pairs 100, teams 100, individual 48","parameter","","","","",["Chapter 1, Tables 2, 3 and 4","the maximum award is still"],[],[],""],["basic_top","12","rule","The winner''s award on the basic scale.","the smaller of (uncapped top, most award[event type])","the smaller of (12, 96)","",["Chapter 1, Tables 2, 3 and 4",""],[7,5,8],[],""],["uplift","1","rule","What the basic scale is multiplied by.","1","1","",["Chapter 2, Annual Club Major Championship (p11 HOTMPS)",""],[],[],""],["top","12","rule","The winner''s award.","basic top × uplift","12 × 1","",["Chapter 1, Club award scales",""],[9,10],[],""],["points","12","rule","What a place is awarded.","top","12","12 rounded up, in steps of 1",["Chapter 1, example 8",""],[0,11],[],"place = 1"],["covered_points","12","aggregate","points summed over the paid places this tie covers","","","",[],[12],[["place 1","12"]],""],["tied","1","input","","","","",[],[],[],""],["shared_points","12","rule","Those who tie share the awards of the places they cover.","covered points / tied","12 / 1","12 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[13,14],[],""],["default_boards","24","parameter","","","","",["Chapter 1, Club award scales (our reading)","single-session events involving between 20 and 35 boards"],[],[],""],["boards","24","rule","The boards of a single session that does not say.","default boards","24","",["Chapter 1, Club award scales (our reading)",""],[16],[],""],["long_session","36","parameter","","","","",["Chapter 1, Club award scales","more than 36 boards"],[],[],""],["paid_share","0.3333333333","rule","The share of the field that is awarded.","third","1/3","",["Chapter 1, Club award scales",""],[17,18,2],[],"boards ≤ long session (24 ≤ 36)"],["places","2","rule","How many places are awarded.","entrants × paid share","6 × 1/3","2 rounded up, in steps of 1",["Chapter 1, Club award scales",""],[1,19],[],""],["last_award","0","rule","The award of the last qualifying place; 0 of any other.","0","0","",["Chapter 1, example 7 (p10 HOTMPS)",""],[0,20],[],"place ≠ places (1 ≠ 2)"],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[21],[["place 1","0"]],""],["placing_points","12","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (12, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[15,22],[],""],["award","12","rule","What each player is awarded.","placing points","12","",["Chapter 1, General conditions (p10 HOTMPS)",""],[23],[],""],["place","2","input","","","","",[],[],[],""],["step","6","rule","The equal decrement, which is also the last award.","top / places","12 / 2","",["Chapter 1, Club award scales",""],[11,20],[],""],["points","6","rule","What a place is awarded.","step × (places + 1 − place)","6 × (2 + 1 − 2)","6 rounded up, in steps of 1",["Chapter 1, example 8",""],[25,20,26],[],"place ≠ 1 (2 ≠ 1)"],["covered_points","6","aggregate","points summed over the paid places this tie covers","","","",[],[27],[["place 2","6"]],""],["shared_points","6","rule","Those who tie share the awards of the places they cover.","covered points / tied","6 / 1","6 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[28,14],[],""],["last_award","6","rule","The award of the last qualifying place; 0 of any other.","points","6","",["Chapter 1, example 7 (p10 HOTMPS)",""],[27,25,20],[],"place = places"],["covered_last_award","6","aggregate","last award summed over the paid places this tie covers","","","",[],[30],[["place 2","6"]],""],["placing_points","6","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (6, 6)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[29,31],[],""],["award","6","rule","What each player is awarded.","placing points","6","",["Chapter 1, General conditions (p10 HOTMPS)",""],[32],[],""],["covered_points","0","aggregate","points summed over the paid places this tie covers","","","",[],[],[],""],["shared_points","0","rule","Those who tie share the awards of the places they cover.","covered points / tied","0 / 1","0 rounded up, in steps of 1",["Chapter 1, examples 4 to 6 (p10 HOTMPS)",""],[34,14],[],""],["covered_last_award","0","aggregate","last award summed over the paid places this tie covers","","","",[],[],[],""],["placing_points","0","rule","What the place earns: all who tie for the last one get its award.","the larger of (shared points, covered last award)","the larger of (0, 0)","",["Chapter 1, examples 4 to 7 (p10 HOTMPS)",""],[35,36],[],""],["award","0","rule","What each player is awarded.","placing points","0","",["Chapter 1, General conditions (p10 HOTMPS)",""],[37],[],""]]}',NULL,13,4,'592ac474fe69b0fdf915e6cf667f557c1778ba3afdd8d1459c630da4abfa07e3','4193bb5728fd5b2520a10ab83e37163db1ec0f3d6b257c7174832f635f3ffebe','6441c0fffb789a7575497dffc7e9cad259ff49bcbd190853915ea269ab16db73');
INSERT INTO "records" VALUES(7,'opening','2026-11-16T17:23:42+00:00','Eve','','','Opening balances','','','list.csv','','',NULL,'{"balances":[[15,1,250]]}','',NULL,17,1,'331bf14823823467452916d1684620302f27b668d591528dce66b57223649f1d','6441c0fffb789a7575497dffc7e9cad259ff49bcbd190853915ea269ab16db73','cf0a329dbaabdcaa6ab077ece358bb26e3bfef310f1f67b5b514da31f19f845a');
CREATE TABLE releasers (
	name TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_releasers PRIMARY KEY (name)
);
INSERT INTO "releasers" VALUES('Eve','c21ff8939a6666c29aa3e48c70342eed9a268846fc801b5aca851350e01deae3');
CREATE TABLE requests (
	"key" TEXT NOT NULL, 
	digest TEXT NOT NULL, 
	at TEXT NOT NULL, 
	answer TEXT NOT NULL, 
	seal TEXT NOT NULL, 
	CONSTRAINT pk_requests PRIMARY KEY ("key")
);
INSERT INTO "requests" VALUES('k','it','2026-11-16T17:23:42+00:00','{"record":1}','d99726746c18b1eaa90c7f0676c1abed99b7b5e29c0baf54c79857781f018120');
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
INSERT INTO "rulebooks" VALUES('2de18154b746f6d00efe23f012dfde717fb8aeaed8a1921d8517b3bd7b0e8500','sbu-clubs-2016','Master Points Guide for Clubs, 1st September 2016',1,'Scottish Bridge Union','{}','6b4a59ca11cc9fe158a7443cff970bd95628b05cb02015f6c35b5aa15e0f18e3');
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
INSERT INTO "submissions" VALUES(1,'2017-01-01','2017-12-31','pending','2026-11-16T17:23:42+00:00','Eve','','4193bb5728fd5b2520a10ab83e37163db1ec0f3d6b257c7174832f635f3ffebe','[1,2,3]','d3876e22d9bfa2c11543f79d115499a2bff89ba7bec0148e3ac2db382ce3e0e0');
CREATE TABLE tallies (
	name TEXT NOT NULL, 
	rows BIGINT NOT NULL, 
	digest TEXT NOT NULL, 
	CONSTRAINT pk_tallies PRIMARY KEY (name)
);
INSERT INTO "tallies" VALUES('people',14,'fbd63d5b7f1a8db08f1fc428633a34e6d872f971f7bd72f267784751cfe34317');
INSERT INTO "tallies" VALUES('kinds',3,'36c0dad7368445ac1215c8fdd2c7960b7d7cc37b7a1b52f2766cd370700c8d92');
INSERT INTO "tallies" VALUES('rulebooks',1,'6b4a59ca11cc9fe158a7443cff970bd95628b05cb02015f6c35b5aa15e0f18e3');
INSERT INTO "tallies" VALUES('drafts',1,'e650f120e753252705d6e2ba0626439a6c8f2b968fbc895840c5a929112e63f6');
INSERT INTO "tallies" VALUES('releasers',1,'c21ff8939a6666c29aa3e48c70342eed9a268846fc801b5aca851350e01deae3');
INSERT INTO "tallies" VALUES('submissions',1,'d3876e22d9bfa2c11543f79d115499a2bff89ba7bec0148e3ac2db382ce3e0e0');
INSERT INTO "tallies" VALUES('requests',1,'d99726746c18b1eaa90c7f0676c1abed99b7b5e29c0baf54c79857781f018120');
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