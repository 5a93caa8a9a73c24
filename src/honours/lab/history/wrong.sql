-- Events that cannot be: `key` names the event, `seat` an entrant of it.

insert into wrong select key, 'event twice' from events group by key having count(*) > 1;
insert into wrong select key, 'no entrants' from events where key not in (select key from entrants);
insert into wrong select key, 'no place' from entrants where coalesce(place, 0) < 1;
insert into wrong select key, 'line' from entrants group by key
having count(nullif(line, 0)) between 1 and count(*) - 1 or max(line) > 2;
insert into wrong select key, 'entrant twice' from entrants group by key, seat having count(*) > 1;
insert into wrong select key, 'no players' from entrants where seat not in (select seat from players);
insert into wrong select key, 'no entrant' from players where seat not in (select seat from entrants);
insert into wrong select key, 'holding' from players where holding < 0;
insert into wrong select key, 'too many' from entrants group by key having count(*) > 65535;
insert into wrong select key, 'two seats' from players where player is not null
group by key, player having count(*) > 1;
insert into wrong select key, 'places' from (
    select key, place, tied, rank() over (partition by key, line order by place) as own,
        count(*) over (partition by key, line, place) as many
    from entrants
) where place <> own or tied <> many;
