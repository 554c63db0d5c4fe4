#include "track/ledger.h"

#include <cstring>

#include "base/error.h"
#include "base/json.h"

namespace tritonrl::track {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTables[] = {
    "CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS tasks (task TEXT PRIMARY KEY, level INTEGER NOT NULL, source TEXT NOT NULL, "
    "entry_point TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS rounds (round INTEGER PRIMARY KEY, done INTEGER NOT NULL, plan TEXT NOT NULL, metrics "
    "TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS draws (round INTEGER, place INTEGER, task TEXT NOT NULL, prompt BLOB NOT NULL, PRIMARY "
    "KEY (round, place)) WITHOUT ROWID",
    "CREATE INDEX IF NOT EXISTS draws_by_task ON draws (task, round, place)",
    "CREATE TABLE IF NOT EXISTS samples (round INTEGER, place INTEGER, idx INTEGER, version INTEGER NOT NULL, "
    "temperature REAL NOT NULL, seed INTEGER NOT NULL, finish TEXT NOT NULL, tokens BLOB NOT NULL, log_probabilities "
    "BLOB NOT NULL, text TEXT NOT NULL, answer TEXT NOT NULL, program TEXT NOT NULL, PRIMARY KEY (round, place, idx)) "
    "WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS verdicts (round INTEGER, place INTEGER, idx INTEGER, kind TEXT NOT NULL, stage TEXT "
    "NOT NULL, rule TEXT NOT NULL, reward REAL, speedup REAL, verdict TEXT NOT NULL, PRIMARY KEY (round, place, idx)) "
    "WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS decisions (round INTEGER, place INTEGER, idx INTEGER, what TEXT NOT NULL, weight REAL "
    "NOT NULL, plan_weight REAL NOT NULL, why TEXT NOT NULL, suspicious INTEGER NOT NULL, PRIMARY KEY (round, place, "
    "idx)) WITHOUT ROWID"};

template <typename T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <typename T>
std::vector<T> values_of(const std::string& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

std::string text_of(const Numbers& numbers) {
  base::Json out = base::Json::object();
  for (const auto& [name, value] : numbers) out[name] = value;
  return out.dump();
}

Numbers numbers_of(const std::string& text) {
  Numbers out;
  const std::optional<base::Json> json = base::Json::try_parse(text);
  if (!json || !json->is_object()) return out;
  for (const base::Json::Member& member : json->items()) {
    if (member.value.is_number()) out[member.name] = member.value.real();
  }
  return out;
}

record::FinishReason finish_of(const std::string& name) {
  const auto names = enum_names(record::FinishReason());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (name == names[i]) return static_cast<record::FinishReason>(i);
  }
  return record::FinishReason::kLength;
}

base::Statement& bind(base::Statement& statement, const SampleKey& key) {
  return statement.bind(1, key.round).bind(2, key.place).bind(3, key.index);
}

base::UserError unusable(const fs::path& file, const std::string& reason) {
  return {"ledger", file.string() + ": " + reason};
}

}  // namespace

// What SQLite says is told with the file's name.
template <class Work>
auto Ledger::guarded(const Work& work) const {
  const std::lock_guard lock(mutex_);
  try {
    return work(*database_);
  } catch (const base::DatabaseError& error) {
    throw unusable(file_, std::string(error.what()) +
                              (error.damaged() ? "; it is no ledger of ours or damaged: move it away" : ""));
  }
}

Ledger::Ledger(const fs::path& file) : Ledger(file, /*make=*/true) {}

Ledger Ledger::existing(const fs::path& file) {
  return {file, /*make=*/false};
}

Ledger::Ledger(const fs::path& file, bool make) : file_(file) {
  std::error_code problem;
  if (make) {
    fs::create_directories(file.parent_path(), problem);
    if (problem) throw unusable(file, "its folder cannot be made: " + problem.message());
  } else if (!fs::is_regular_file(file, problem)) {
    throw unusable(file, "there is no such ledger; `tritonrl rl` writes one into the folder of its run");
  }
  try {
    database_.emplace(file);
  } catch (const base::DatabaseError& error) {
    throw unusable(file, std::string("cannot be opened: ") + error.what());
  }
  guarded([](base::Database& database) {
    for (const char* table : kTables) database.execute(table);
    return 0;
  });
}

void Ledger::set(const std::string& key, const std::string& value) {
  guarded([&](base::Database& database) {
    database.prepare("INSERT OR REPLACE INTO run VALUES (?1, ?2)").bind(1, key).bind(2, value).run();
    return 0;
  });
}

std::string Ledger::get(const std::string& key) const {
  return guarded([&](base::Database& database) {
    base::Statement find = database.prepare("SELECT value FROM run WHERE key = ?1");
    return find.bind(1, key).step() ? find.text(0) : std::string();
  });
}

void Ledger::forget_after(std::int64_t last) {
  guarded([&](base::Database& database) {
    base::Database::Transaction all(database);
    for (const char* sql : {"DELETE FROM rounds WHERE round > ?1", "DELETE FROM draws WHERE round > ?1",
                            "DELETE FROM samples WHERE round > ?1", "DELETE FROM verdicts WHERE round > ?1",
                            "DELETE FROM decisions WHERE round > ?1"})
      database.prepare(sql).bind(1, last).run();
    all.commit();
    return 0;
  });
}

void Ledger::begin_round(std::int64_t round, const Numbers& plan, std::span<const DrawnTask> tasks) {
  guarded([&](base::Database& database) {
    base::Database::Transaction all(database);
    database.prepare("INSERT INTO rounds VALUES (?1, 0, ?2, '{}')").bind(1, round).bind(2, text_of(plan)).run();
    base::Statement add_task = database.prepare("INSERT OR REPLACE INTO tasks VALUES (?1, ?2, ?3, ?4)");
    base::Statement add_draw = database.prepare("INSERT INTO draws VALUES (?1, ?2, ?3, ?4)");
    std::int64_t place = 0;
    for (const DrawnTask& drawn : tasks) {
      add_task.bind(1, drawn.task.id).bind(2, static_cast<std::int64_t>(drawn.level));
      add_task.bind(3, drawn.task.source).bind(4, drawn.task.entry_point).run();
      add_draw.bind(1, round).bind(2, place++).bind(3, drawn.task.id).bind_bytes(4, bytes_of(drawn.prompt)).run();
    }
    all.commit();
    return 0;
  });
}

void Ledger::finish_round(std::int64_t round, const Numbers& metrics, std::span<const Decision> decisions) {
  guarded([&](base::Database& database) {
    base::Database::Transaction all(database);
    database.prepare("DELETE FROM decisions WHERE round = ?1").bind(1, round).run();
    base::Statement add = database.prepare("INSERT INTO decisions VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
    for (const Decision& each : decisions) {
      bind(add, each.key).bind(4, each.what).bind(5, each.weight).bind(6, each.plan_weight).bind(7, each.why);
      add.bind(8, std::int64_t{each.suspicious}).run();
    }
    database.prepare("UPDATE rounds SET done = 1, metrics = ?2 WHERE round = ?1")
        .bind(1, round)
        .bind(2, text_of(metrics))
        .run();
    all.commit();
    return 0;
  });
}

std::vector<LedgerRound> Ledger::rounds() const {
  return guarded([&](base::Database& database) {
    std::vector<LedgerRound> out;
    base::Statement rows = database.prepare("SELECT round, done, plan, metrics FROM rounds ORDER BY round");
    while (rows.step()) {
      out.push_back({.round = rows.whole(0),
                     .done = rows.whole(1) != 0,
                     .plan = numbers_of(rows.text(2)),
                     .metrics = numbers_of(rows.text(3))});
    }
    return out;
  });
}

std::optional<LedgerRound> Ledger::round(std::int64_t round) const {
  for (LedgerRound& each : rounds()) {
    if (each.round == round) return std::move(each);
  }
  return std::nullopt;
}

std::vector<DrawnTask> Ledger::tasks(std::int64_t round) const {
  return guarded([&](base::Database& database) {
    std::vector<DrawnTask> out;
    base::Statement rows = database.prepare(
        "SELECT draws.task, level, source, entry_point, prompt FROM draws JOIN tasks ON tasks.task = draws.task WHERE "
        "round = ?1 ORDER BY place");
    rows.bind(1, round);
    while (rows.step()) {
      out.push_back({.task = {.id = rows.text(0), .source = rows.text(2), .entry_point = rows.text(3)},
                     .level = static_cast<int>(rows.whole(1)),
                     .prompt = values_of<std::int32_t>(rows.text(4))});
    }
    return out;
  });
}

bool Ledger::has_samples(std::int64_t round, std::int64_t place) const {
  return guarded([&](base::Database& database) {
    base::Statement find = database.prepare("SELECT 1 FROM samples WHERE round = ?1 AND place = ?2 LIMIT 1");
    return find.bind(1, round).bind(2, place).step();
  });
}

void Ledger::add_samples(std::int64_t round, std::int64_t first, std::span<const std::vector<LedgerSample>> by_place) {
  guarded([&](base::Database& database) {
    base::Database::Transaction all(database);
    base::Statement add =
        database.prepare("INSERT INTO samples VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)");
    for (std::int64_t place = first; const std::vector<LedgerSample>& samples : by_place) {
      for (const LedgerSample& each : samples) {
        const record::Sample& sample = each.sample;
        bind(add, {round, place, sample.index});
        add.bind(4, sample.adapter_version).bind(5, each.temperature).bind(6, static_cast<std::int64_t>(sample.seed));
        add.bind(7, record::name_of(sample.finish)).bind_bytes(8, bytes_of(sample.tokens));
        add.bind_bytes(9, bytes_of(sample.log_probabilities)).bind(10, sample.text);
        add.bind(11, each.answer).bind(12, each.program).run();
      }
      ++place;
    }
    all.commit();
    return 0;
  });
}

std::vector<LedgerSample> Ledger::samples(std::int64_t round, std::int64_t place) const {
  return guarded([&](base::Database& database) {
    base::Statement drawn = database.prepare("SELECT task, prompt FROM draws WHERE round = ?1 AND place = ?2");
    std::vector<LedgerSample> out;
    if (!drawn.bind(1, round).bind(2, place).step()) return out;
    const std::vector<std::int32_t> prompt = values_of<std::int32_t>(drawn.text(1));
    base::Statement rows = database.prepare(
        "SELECT idx, version, temperature, seed, finish, tokens, log_probabilities, text, answer, program FROM samples "
        "WHERE round = ?1 AND place = ?2 ORDER BY idx");
    rows.bind(1, round).bind(2, place);
    while (rows.step()) {
      LedgerSample& each = out.emplace_back();
      each.sample = {.id = drawn.text(0),
                     .index = static_cast<int>(rows.whole(0)),
                     .prompt = prompt,
                     .tokens = values_of<std::int32_t>(rows.text(5)),
                     .log_probabilities = values_of<float>(rows.text(6)),
                     .text = rows.text(7),
                     .finish = finish_of(rows.text(4)),
                     .seed = static_cast<std::uint64_t>(rows.whole(3)),
                     .adapter_version = rows.whole(1),
                     .parent_id = {}};
      each.temperature = rows.real(2);
      each.answer = rows.text(8);
      each.program = rows.text(9);
    }
    return out;
  });
}

void Ledger::add_verdict(const SampleKey& key, const record::Verdict& verdict) {
  guarded([&](base::Database& database) {
    base::Statement add =
        database.prepare("INSERT OR REPLACE INTO verdicts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
    bind(add, key).bind(4, to_string(verdict.kind)).bind(5, to_string(verdict.stage)).bind(6, verdict.rule);
    verdict.reward ? add.bind(7, *verdict.reward) : add.bind_nothing(7);
    verdict.timing ? add.bind(8, verdict.timing->speedup) : add.bind_nothing(8);
    add.bind(9, record::to_json(verdict)).run();
    return 0;
  });
}

std::map<std::int64_t, record::Verdict> Ledger::verdicts(std::int64_t round, std::int64_t place) const {
  return guarded([&](base::Database& database) {
    std::map<std::int64_t, record::Verdict> out;
    base::Statement rows =
        database.prepare("SELECT idx, verdict FROM verdicts WHERE round = ?1 AND place = ?2 ORDER BY idx");
    rows.bind(1, round).bind(2, place);
    while (rows.step()) {
      base::Result<record::Verdict> verdict = record::verdict_from_json(rows.text(1));
      if (verdict.ok()) out.emplace(rows.whole(0), std::move(verdict).value());
    }
    return out;
  });
}

std::vector<Decision> Ledger::decisions(std::int64_t round) const {
  return guarded([&](base::Database& database) {
    std::vector<Decision> out;
    base::Statement rows = database.prepare(
        "SELECT place, idx, what, weight, plan_weight, why, suspicious FROM decisions WHERE round = ?1 ORDER BY place, "
        "idx");
    rows.bind(1, round);
    while (rows.step()) {
      out.push_back({.key = {round, rows.whole(0), rows.whole(1)},
                     .what = rows.text(2),
                     .weight = rows.real(3),
                     .plan_weight = rows.real(4),
                     .why = rows.text(5),
                     .suspicious = rows.whole(6) != 0});
    }
    return out;
  });
}

std::vector<SampleKey> Ledger::draws_of(const std::string& task) const {
  return guarded([&](base::Database& database) {
    std::vector<SampleKey> out;
    base::Statement rows = database.prepare("SELECT round, place FROM draws WHERE task = ?1 ORDER BY round, place");
    rows.bind(1, task);
    while (rows.step()) out.push_back({rows.whole(0), rows.whole(1), 0});
    return out;
  });
}

}  // namespace tritonrl::track
