-- Cells of tables as values: what is not said is null, and so is what cannot be read.

create or replace macro text_of(cell) as
    nullif(trim(cast(cell as varchar), ' ' || chr(9) || chr(10) || chr(13) || chr(160)), '');

create or replace macro parts_of(cell, sign) as
    list_filter(string_split_regex(text_of(cell), sign), lambda part: part <> '');

create or replace macro is_unknown(text) as  -- said not to be known, which is not an empty cell
    lower(cast(text as varchar)) in ('n/a', 'na', 'nan', 'null', 'none', 'unknown', '?', '-', '–', '#n/a');

create or replace macro date_of(text, written) as
    cast(try_strptime(string_split(string_split(text, 'T')[1], ' ')[1], written) as date);

-- Spaces part thousands where all of a column can be read so; else they part figures.
create or replace macro is_spaced(text) as regexp_matches(text, '\d[ \x{a0}\x{202f}]+\d');
create or replace macro is_grouped(text) as
    regexp_full_match(text, '[+-]?\d{1,3}([ \x{a0}\x{202f}]\d{3})+([.,]\d*)?');

create or replace macro plain_figure(text, mark) as
    replace(
        replace(
            regexp_replace(text, '[ \x{a0}\x{202f}'']', '', 'g'),
            case mark when ',' then '.' else ',' end,
            ''
        ),
        mark,
        '.'
    );

create or replace macro figure(text, mark) as
    try_cast(
        case
            when regexp_full_match(
                plain_figure(text, mark), '[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})'
            ) then plain_figure(text, mark)
        end as decimal(38, 15)
    );

-- A figure in the smallest unit that is kept, half away from zero.
create or replace macro units(figure, decimals) as
    cast(round(figure, decimals) * cast(power(10, decimals) as bigint) as bigint);

create or replace macro within(number, least_one, most) as
    case when number between least_one and most then number end;

create or replace macro size_of(kind) as  -- how many players an entrant has
    case
        when kind = 'individual' then 1
        when kind in ('teams', 'swiss', 'board-a-match', 'knockout') then 4
        else 2
    end;
