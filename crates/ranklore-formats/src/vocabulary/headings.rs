//! The headings of columns and their meanings, in tables of results and in tables of games.
//!
//! A new heading is a word in [`HEADINGS`]; a new language is a word in most of its lines.

mod lookup;

use std::collections::HashMap;
use std::sync::LazyLock;

use super::meanings::ColumnMeaning;
use super::words::has_word;
use ColumnMeaning::{
    Competitor, CompetitorId, Contest, ContestId, Date, Division, Draw, Event, EventId, GameNumber,
    GivenName, Members, Neutral, Ordinal, Outcome, Partner1, Partner2, Penalty, Place, RatingAfter,
    RatingBefore, RatingChange, Score, StartingRating, StartingSigma, Status, Summary, Surname,
    Team, TeamId, TimeOfDay, Url, Weight, Winner,
};

/// The strength of a heading's match: of two columns with one meaning the stronger match wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MatchStrength {
    /// The user states the meaning.
    Stated,
    /// The word that Ranklore itself uses.
    Exact,
    /// A synonym.
    Synonym,
    /// A word with other meanings as well.
    Vague,
}

impl MatchStrength {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Exact => "exact",
            Synonym => "synonym",
            Vague => "vague",
        }
    }
}

use MatchStrength::{Exact, Synonym, Vague};

/// Headings with one meaning, as [`normalise_word`](super::words::normalise_word) returns them.
struct Headings {
    meaning: ColumnMeaning,
    /// The strength in a table of results; `None` if they mean something else there, or nothing.
    in_results: Option<MatchStrength>,
    /// The rank among the headings of that meaning in a table of games, 0 is the best.
    in_games: Option<u8>,
    words: &'static str,
}

const fn results(meaning: ColumnMeaning, strength: MatchStrength, words: &'static str) -> Headings {
    Headings {
        meaning,
        in_results: Some(strength),
        in_games: None,
        words,
    }
}

const fn games(meaning: ColumnMeaning, rank: u8, words: &'static str) -> Headings {
    Headings {
        meaning,
        in_results: None,
        in_games: Some(rank),
        words,
    }
}

const fn both(
    meaning: ColumnMeaning,
    strength: MatchStrength,
    rank: u8,
    words: &'static str,
) -> Headings {
    Headings {
        meaning,
        in_results: Some(strength),
        in_games: Some(rank),
        words,
    }
}

/// All known headings.
const HEADINGS: &[Headings] = &[
    results(Contest, Exact, "contest contestname"),
    results(
        Contest,
        Synonym,
        "round roundname eventname tournament tournamentname race racename match matchname \
         competition competitionname tourney meet meetname meetingname game gameday matchday session wettbewerb runde \
         turnier rennen spiel spieltag wettkampf concours tournoi course manche partie epreuve \
         ronda torneo carrera partido concurso competicion regatta tour etappe stage stagename \
         lauf episode episodio lop renn konkurranse konkurrence tavling stevne stevnet gara wedstrijd zawody zavod \
         utakmica grandprix kilpailu verseny соревнование 大会 レース 比赛 대회 \
         turnaj turniej turnir turnyras turniir turnaus turneu turnuva torneig torneio toernooi \
         turnering turnamen fordulo rodada giornata kolejka omgang speelronde \
         runda etapa etap etapi tappa etapp posms sacensibas varzybos voistlus osakilpailu \
         natjecanje utrka trka dirka takmicenje tekmovanje soutez sutaz preteky keppni \
         umferd lomba kejuaraan babak giaidau vongdau cuocthi yaris yarisma musabaka соревнования \
         турнир этап гонка тур раунд змагання състезание кръг такмичење коло αγωνασ τουρνουα \
         διοργανωση γυροσ 赛事 比賽 賽事 轮次 輪次 大会名 レース名 コンテスト 競技会 ラウンド 대회명 라운드 회차 תחרות טורניר סבב \
         سباق بطولة مسابقة جولة مسابقه การแขงขัน รอบ",
    ),
    both(ContestId, Exact, 0, "contestid"),
    both(ContestId, Synonym, 0, "matchid gameid matchkey gamekey"),
    results(
        ContestId,
        Synonym,
        "roundid eventid tournamentid raceid competitionid tournamentkey racekey eventkey competitionkey contestkey",
    ),
    games(ContestId, 0, "fixtureid battleid partieid spielid partidaid"),
    games(ContestId, 1, "id"),
    // Read only if no game leaves it blank.
    games(
        ContestId,
        2,
        "partidoid partitaid jogoid kampid idmatch idpartido idpartita idjogo wedstrijdid meczid zapasid otteluid \
         utakmicaid",
    ),
    both(Event, Exact, 0, "event"),
    both(Event, Exact, 1, "veranstaltung evenement evento"),
    results(Event, Synonym, "series seriesname serie"),
    games(
        Event,
        0,
        "eventname tournament tournamentname tourney tourneyname turnier tournoi torneo",
    ),
    games(
        Event,
        1,
        "competition competitionname league leaguename cup wettbewerb liga concours competicion \
         campeonato campionato 大会",
    ),
    games(Event, 2, "division div"),
    games(
        Event,
        3,
        "season saison temporada シーズン \
     sezon stagione seizoen sasong sesong kausi сезон",
    ),
    both(Date, Exact, 0, "date endsat endedat"),
    both(
        Date,
        Synonym,
        1,
        "day datum tag fecha jour dia contestdate eventdate matchdate gamedate enddate datetime \
         dateutc playedon dateplayed endat",
    ),
    both(
        Date,
        Synonym,
        2,
        "endtime timeseconds timestamp completedat finishedat dato pvm paivamaara tarih mactarihi дата 日付 試合日 日期 날짜 \
        kuupaev datums dagsetning tanggal ngaythang датум ημερομηνια 开赛日期 比赛日期 比賽日期 開催日 年月日 일자 일시 \
        경기일 תאריך التاريخ تاریخ วันที",
    ),
    results(
        Date,
        Synonym,
        "racedate rounddate heldon playedat dateofrace dateofevent dateofmatch",
    ),
    both(Date, Vague, 2, "when startdate wann quand cuando data"),
    games(Date, 1, "utcdate tourneydate playedat"),
    games(Date, 2, "tstamp startedat createdat"),
    results(Division, Exact, "division"),
    results(
        Division,
        Synonym,
        "div class category agegroup klasse kategorie altersklasse categorie classe categoria \
         clase grade bracket league liga klass klassen luokka sarja kategoria klasa категория \
         kategori kategorija kategoorija vanuseklass korosztaly trida escalao категорія κατηγορια \
         クラス カテゴリ カテゴリー 部門 组别 組別 부문 קטגוריה الفئة",
    ),
    both(Ordinal, Exact, 0, "ordinal"),
    both(Ordinal, Synonym, 1, "roundnumber roundno"),
    results(Ordinal, Synonym, "racenumber raceno order sequence"),
    games(
        Ordinal,
        1,
        "round roundname runde ronda manche journee \
     runda kierros fordulo turas umferd krog voor babak кръг раунд γυροσ 轮次 라운드 ラウンド",
    ),
    games(
        Ordinal,
        2,
        "matchday gameday spieltag jornada week wk gameweek woche matchweek rodada giornata kolejka \
         speelronde speeldag omgang kolo тур 節 \
         hafta коло αγωνιστικη",
    ),
    games(Ordinal, 3, "stage phase"),
    results(Url, Exact, "url"),
    results(Url, Synonym, "link website webpage contesturl eventurl href"),
    results(Weight, Exact, "weight"),
    results(Weight, Synonym, "contestweight eventweight gewicht gewichtung coefficient"),
    results(Place, Exact, "place vysledneporadi celkoveporadi konecneporadi"),
    results(
        Place,
        Synonym,
        "rank rnk oall position postion posistion possition pos placing placement platz platzierung rang standing finishposition \
         finishingposition finalposition finalrank finalplace overallplace overallrank classement \
         puesto posicion lugar plazierung rk plc pl clasificacion contestrank finishpos finishplace \
         finishrank finpos finalpos 着順 順 tyaku tyakujun chakujun overallpos overallposition rankoverall placeoverall \
         overallgunrank overallchiprank gunrank chiprank overallgunplace overallchipplace \
         gunplace chipplace \
         positionoverall rankall positionorder officialrank plass plassering plats placering plads \
         pladsering sijoitus plaats positie posizione posto miejsce lokata poradi umisteni mesto \
         plasman helyezes vieta koht koha posicao colocacao clt место 順位 名次 排名 순위 \
         mjesto pozicija poredak uvrstitev poradie umiestnenie pozycja pozitie clasament \
         classificacio lloc posicio classifica piazzamento classificacao saeti siralama peringkat \
         posisi thuhang xephang sija місце позиция позиція място класиране позиција пласман θεση \
         καταταξη 着 등수 등위 דירוג المركز الترتيب رتبه อันดับ",
    ),
    results(
        Place,
        Vague,
        "# fin finish ranking finished scratch scr \
     loc sira misto מקום",
    ),
    results(Score, Exact, "score"),
    results(
        Score,
        Synonym,
        "point pt scored totalscore finalscore totalpoint finaltime finishtime nettime guntime \
         chiptime racetime totaltime overalltime officialtime elapsedtime elapsed punkt punkte pkt pkte \
         punktzahl zeit laufzeit gesamtzeit temp tempstotal tiempototal puntuacion punto puntaje \
         tiempo chrono stroke marks netscore grossscore duration poeng poang pistee pisteet punti punteggio \
         punten punkty pontos pontuacao pontszam tid aika tijd czas cas очки баллы время 得点 勝点 勝ち点 点 \
         ポイント タイム 時間 成绩 점수 기록 \
         punkti taskai punktid pont pontok puncte punctaj bodovi tocke puan poin skor diemso \
         laiks laikas aeg timp vrijeme vreme thoigian точки бали бодови поени βαθμοι ποντοι \
         χρονοσ 得分 分数 分數 积分 積分 总分 總分 成績 用时 点数 スコア 合計点 총점 득점 시간 ניקוד נקודות זמן النقاط نقاط الوقت \
         امتیاز زمان คะแนน เวลา",
    ),
    results(
        Score,
        Vague,
        "result time total totalkg totallbs ergebnis resultat resultado risultato tulos wynik tempo mark \
        rezultats rezultatas tulemus eredmeny rezultat vysledek vysledok sonuc ketqua результат \
        резултат urslit αποτελεσμα 결과 תוצאה النتيجة kopa kokku yhteensa osszesen osszpont ukupno skupaj celkem spolu \
        razem totaal totalt toplam jumlah tongdiem итого всего разом συνολο 合計 総計 总计 合计 합계 총계 סהכ",
    ),
    results(Penalty, Exact, "penalty"),
    results(
        Penalty,
        Synonym,
        "penaltie penaltytime penaltypoint strafe strafpunkte strafzeit penalite penalizacion",
    ),
    results(Competitor, Exact, "competitor handle"),
    results(
        Competitor,
        Synonym,
        "player parkrunner personname participant athlete contestant entrant \
         user fullname yourname runner driver rider swimmer skipper pilot fencer \
         nickname spieler teilnehmer athlet fahrer lauefer laufer \
         joueur concurrent coureur jugador atleta atleet atlete pessoa competidor participante corredor spielerin \
         teilnehmerin joueuse jugadora racer golfer sailor debater dancer member skater skier hacker \
         cyclist climber archer shooter rower wrestler boxer judoka triathlete orienteer lifter \
         jumper surfer angler \
         helm helmsman helmsperson utover deltaker deltager deltagare spiller spelare lober lopare \
         pilota atleti piloti urheilija juoksija pelaaja deelnemer speler renner giocatore concorrente zawodnik gracz \
         zavodnik hrac natjecatelj igrac tekmovalec versenyzo jogador atletka участник \
         imieinazwisko jmenoaprijmeni prijmeniajmeno \
         спортсмен игрок 氏名 選手 選手名 选手 姓名 선수 \
         dalibnieks sportists speletajs vardsuzvards dalyvis sportininkas zaidejas vardaspavarde \
         voistleja osaleja mangija sportlane eesjaperenimi kilpailija osallistuja resztvevo jatekos \
         jucator sportiv numesiprenume numeprenume takmicar ucesnik sudionik imeiprezime prezimeiime \
         priimekinime imeinpriimek tekmovalka ucastnik bezec jezdec pretekar menoapriezvisko \
         priezviskoameno uczestnik kierowca biegacz nazwiskoiimie oyuncu sporcu yarismaci katilimci \
         adsoyad adisoyadi surucu piloto ciclista nadador deportista concursante nomecompleto \
         nombrecompleto nombreyapellidos nombreapellidos apellidosynombre apellidosnombre \
         nomicognoms corridore partecipante nominativo cognomeenome nomeecognome cognomenome \
         nomecognome nomprenom prenomnom nometprenom cycliste nageur pilote rijder loper zwemmer \
         schaatser akare tavlande rytter skytter keppandi namevorname vornamename vornamenachname \
         nachnamevorname sportler schutze peserta pemain atlet pembalap vandongvien thisinh \
         hoten hovaten nguoichoi гонщик пилот фио фамилияимя имяфамилия учасник гравець піб \
         прізвищеімя състезател играч такмичар имеипрезиме αθλητησ παικτησ ονοματεπωνυμο 运动员 参赛者 \
         参赛选手 球员 棋手 競技者 競技者名 参加者 プレイヤー プレーヤー ユーザー ユーザー名 ドライバー 참가자 선수명 성명 플레이어 닉네임 שחקן מתחרה اللاعب \
         المتسابق بازیکن นักกีฬา ผูเลน",
    ),
    results(
        Competitor,
        Vague,
        "name horsename nom nombre who navn namn naam nimi nome nev ime имя 名前 이름 玩家 \
         nazev 馬名 \
         nume nama nafn isim имена ονομα שם الاسم نام ชือ \
         meno име імя",
    ),
    results(CompetitorId, Exact, "competitorid"),
    results(
        CompetitorId,
        Synonym,
        "playerid playerkey athletekey athleteid participantid personid contestantid entrantid runnerid driverid \
         riderid swimmerid skipperid pilotid fencerid racerid golferid sailorid debaterid \
         dancerid userid memberid accountid uid wcaid fideid uciid uscfid ecfid fisid ibuid isuid \
         fieid itaid ittfid atpid wtaid utrid spielerid teilnehmerid athletenid sportlerid \
         fahrerid lauferid laeuferid mitgliedsid startpassid passid joueurid idjoueur idathlete \
         idcoureur idparticipant jugadorid idjugador idatleta idcorredor idparticipante idfide",
    ),
    results(
        CompetitorId,
        Vague,
        "licence license licencenumber licensenumber licenceno licenseno licencenr licensenr \
         licenceid licenseid membershipid membershipnumber membershipno membernumber memberno \
         lizenz lizenznummer lizenznr lizenzid startpass startpassnummer startpassnr spielerpass \
         spielerpassnummer passnummer passnr mitgliedsnummer mitgliedsnr nlicence nolicence \
         numerolicence numerodelicence ndelicence licencia nlicencia nolicencia numerolicencia \
         numerodelicencia",
    ),
    results(
        GivenName,
        Exact,
        "givenname firstname forename vorname prenom fornavn fornamn voornaam etunimi imie jmeno \
        vards vardas eesnimi keresztnev utonev prenume fornafn eiginnafn namadepan emri שםפרטי",
    ),
    results(GivenName, Vague, "first fname"),
    results(
        Surname,
        Exact,
        "surname lastname familyname nachname familienname zuname nomdefamille apellido \
         primerapellido segundoapellido etternavn efternavn efternamn achternaam sukunimi nazwisko \
         prijmeni cognome prezime sobrenome apelido фамилия \
         uzvards pavarde perekonnanimi perenimi vezeteknev csaladnev numedefamilie priezvisko \
         priimek soyad soyadi mbiemri abizena cognom eftirnafn namabelakang прізвище презиме επωνυμο \
         επιθετο 姓 姓氏 성 שםמשפחה",
    ),
    results(Surname, Vague, "last lname"),
    results(Team, Exact, "team"),
    results(
        Team,
        Synonym,
        "squad crew mannschaft equipe equipo lag joukkue ploeg squadra druzyna druzstvo ekipa команда チーム \
        komanda meeskond voistkond csapat echipa momcad takim zespol equipa equip regu doituyen \
        отбор екипа ομαδα 队伍 隊伍 战队 球队 队名 隊名 チーム名 팀 팀명 קבוצה الفريق تیم ทีม",
    ),
    results(TeamId, Exact, "teamid teamkey"),
    results(
        TeamId,
        Synonym,
        "squadid crewid mannschaftsid equipeid idequipe equipoid idequipo",
    ),
    results(Members, Exact, "members teammember teammembers"),
    results(
        Members,
        Synonym,
        "couple coppia dvojice dvojica memberlist membername membernames teammembername teammembernames teammemberusername \
         teammemberusernames pair paar partners pareja mitglieder teammitglieder membres miembros \
         integrantes",
    ),
    both(Status, Exact, 0, "status"),
    results(Status, Synonym, "outcome finishstatus resultstatus statut"),
    results(Status, Vague, "state etat estado"),
    games(Status, 0, "matchstatus gamestatus"),
    games(Status, 1, "comment"),
    results(StartingRating, Exact, "startingrating"),
    results(
        StartingRating,
        Synonym,
        "initialrating seedrating startrating ratingstart startelo startingelo initialelo \
         eloinitial seedelo mu startingmu startwertung startzahl",
    ),
    results(StartingRating, Vague, "elo elorating rating"),
    results(RatingBefore, Exact, "ratingbefore"),
    results(RatingBefore, Synonym, "oldrating previousrating prerating"),
    results(RatingChange, Exact, "ratingchange"),
    results(RatingChange, Synonym, "ratingdelta"),
    results(RatingAfter, Exact, "ratingafter"),
    results(RatingAfter, Synonym, "newrating postrating"),
    results(StartingSigma, Exact, "startingsigma"),
    results(
        StartingSigma,
        Synonym,
        "initialsigma startsigma uncertainty ratingdeviation sigma rd startinguncertainty \
         startingrd initialrd deviation",
    ),
    results(
        Summary,
        Exact,
        "sum average avg mean overall totals grandtotal best bestof gesamt gesamtpunkte summe \
         schnitt mittel durchschnitt moyenne suma promedio media somme median subtotal totaux \
         general mittelwert teamtotal \
         summa soucet сумма",
    ),
    results(Summary, Vague, "count played drop dropped"),
    games(Partner1, 0, "partner1 partnera"),
    games(Partner2, 0, "partner2 partnerb"),
    games(Winner, 0, "winnerside winningside winnercolor winnercolour victor"),
    games(
        Outcome,
        0,
        "outcome ftr fulltimeresult result gameresult matchresult ergebnis resultat resultado 結果 \
        wynik vysledek vysledok rezultat rezultatas rezultats tulemus tulos eredmeny sonuc ketqua \
        uitslag risultato результат резултат urslit αποτελεσμα 结果 결과 תוצאה النتيجة",
    ),
    games(
        Outcome,
        1,
        "score ft fulltime finalscore fulltimescore endstand endergebnis spielstand marcador スコア \
        skor счет счёт рахунок 比分 점수",
    ),
    games(
        Draw,
        0,
        "draw drawn isdraw tie tied istie remis unentschieden nul matchnul empate tablas",
    ),
    games(Neutral, 0, "neutral isneutral neutralground neutralvenue neutralsite"),
    games(
        TimeOfDay,
        0,
        "kickoff kickofftime ko starttime utctime timeutc anstoss anpfiff uhrzeit heure hora time",
    ),
    games(EventId, 0, "eventid tournamentid tourneyid competitionid leagueid turnierid"),
    games(
        GameNumber,
        0,
        "matchnum matchnumber matchno gamenum gamenumber gameno spielnr spielnummer partienr",
    ),
];

/// The meanings of [`HEADINGS`] in a table of results, by word. The first line with a word counts.
static RESULT_HEADINGS: LazyLock<HashMap<&str, (ColumnMeaning, MatchStrength)>> =
    LazyLock::new(|| {
        let mut meanings = HashMap::new();
        for known in HEADINGS {
            let Some(strength) = known.in_results else {
                continue;
            };
            for word in known.words.split(' ') {
                meanings.entry(word).or_insert((known.meaning, strength));
            }
        }
        meanings
    });

/// Returns the meaning of a heading about a game, as [`heading_word`](super::seats::heading_word)
/// returns it, and its rank, 0 is the best.
pub(crate) fn find_game_heading(word: &str) -> Option<(ColumnMeaning, u8)> {
    let known = HEADINGS.iter().find_map(|known| {
        let rank = known.in_games.filter(|_| has_word(known.words, word))?;
        Some((known.meaning, rank))
    });
    known.or_else(|| {
        let (meaning, _) = ColumnMeaning::from_heading(word)?;
        match meaning {
            Division | Url | Weight => Some((meaning, 0)),
            Date => Some((Date, 3)),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::words::normalise_word;

    #[test]
    fn known_headings_are_recognised() {
        for (heading, meaning) in [
            ("Contest", ColumnMeaning::Contest),
            ("  ROUND ", ColumnMeaning::Contest),
            ("Event Name", ColumnMeaning::Contest),
            ("Wettbewerb", ColumnMeaning::Contest),
            ("Épreuve", ColumnMeaning::Contest),
            ("contest_id", ColumnMeaning::ContestId),
            ("event", ColumnMeaning::Event),
            ("Fecha", ColumnMeaning::Date),
            ("Date (UTC)", ColumnMeaning::Date),
            ("time_seconds", ColumnMeaning::Date),
            ("Klasse", ColumnMeaning::Division),
            ("#", ColumnMeaning::Place),
            ("Pos.", ColumnMeaning::Place),
            ("Posición", ColumnMeaning::Place),
            ("Points", ColumnMeaning::Score),
            ("Pts", ColumnMeaning::Score),
            ("Score [pts]", ColumnMeaning::Score),
            ("Time (s)", ColumnMeaning::Score),
            ("Temps", ColumnMeaning::Score),
            ("Penalties", ColumnMeaning::Penalty),
            ("Players", ColumnMeaning::Competitor),
            ("Läufer", ColumnMeaning::Competitor),
            ("Nom", ColumnMeaning::Competitor),
            ("Équipe", ColumnMeaning::Team),
            ("Members", ColumnMeaning::Members),
            ("WCA ID", ColumnMeaning::CompetitorId),
            ("personId", ColumnMeaning::CompetitorId),
            ("FideID", ColumnMeaning::CompetitorId),
            ("License No.", ColumnMeaning::CompetitorId),
            ("Startpass-ID", ColumnMeaning::CompetitorId),
            ("ID_Pilota", ColumnMeaning::CompetitorId),
            ("ID_Gara", ColumnMeaning::ContestId),
            ("N° de licence", ColumnMeaning::CompetitorId),
            ("TeamId", ColumnMeaning::TeamId),
            ("Member", ColumnMeaning::Competitor),
            ("First name", ColumnMeaning::GivenName),
            ("Prénom", ColumnMeaning::GivenName),
            ("Apellidos", ColumnMeaning::Surname),
            ("Team members", ColumnMeaning::Members),
            ("Status", ColumnMeaning::Status),
            ("Seed rating", ColumnMeaning::StartingRating),
            ("RD", ColumnMeaning::StartingSigma),
            ("Avg.", ColumnMeaning::Summary),
            ("Matches", ColumnMeaning::Summary),
        ] {
            assert_eq!(
                ColumnMeaning::from_heading(heading).map(|m| m.0),
                Some(meaning),
                "{heading}"
            );
        }
        for heading in [
            "",
            "Round 1",
            "R1",
            "2024-03-01",
            "Club",
            "##1",
            "(pts)",
            "Comment",
            "ID",
            "Bib",
            "Start number",
            "No",
        ] {
            assert_eq!(ColumnMeaning::from_heading(heading), None, "{heading}");
        }
    }

    #[test]
    fn listed_headings_are_normalised_and_unique() {
        let mut seen = std::collections::HashMap::new();
        for known in HEADINGS {
            assert!(known.in_results.is_some() || known.in_games.is_some());
            for word in known.words.split(' ') {
                assert!(word == "#" || normalise_word(word) == word, "{word} is not plain");
                let kinds = [
                    ("results", known.in_results.is_some()),
                    ("games", known.in_games.is_some()),
                ];
                for (kind, _) in kinds.into_iter().filter(|(_, has_meaning)| *has_meaning) {
                    let before = seen.insert((kind, word), known.meaning);
                    assert_eq!(before, None, "{word} is listed twice for {kind}");
                }
            }
        }
    }
}
