
#include "base/json.h"
#include "tests/hub/served_fetch.h"

namespace tritonrl::hub {
namespace {

namespace fs = std::filesystem;

// What does not pass: said at once, and nothing wrong is left behind.
class FetchRefusals : public ServedFetch {
 protected:
  // All requests get this answer.
  void answer_all(const ServedAnswer& answer) {
    server_.set_fault([=](const ServedRequest&, const ServedAnswer&) { return answer; });
  }
  void add_to_list(const std::string& name) {
    server_.set_fault([=](const ServedRequest& request, ServedAnswer answer) {
      if (!request.target.starts_with("/api/")) return answer;
      base::Json json = base::Json::parse(answer.body);
      json["siblings"].push_back({{"rfilename", name}, {"size", 2}, {"blobId", git_blob_of("{}")}});
      answer.body = json.dump();
      return answer;
    });
  }
};

TEST_F(FetchRefusals, wrong_content_twice) {
  server_.set_far_fault([](const ServedRequest&, ServedAnswer answer) {
    answer.body[77] ^= 1;
    return answer;
  });
  const std::string message = refusal();
  expect_contains(message, "model.safetensors of owner/name came twice with the wrong content");
  expect_contains(message, sha256_of(weights()));
  EXPECT_EQ(server_.transfers("model.safetensors").size(), 2u);
  EXPECT_FALSE(fs::exists(in_cache("blobs/" + sha256_of(weights()))));
  EXPECT_FALSE(fs::exists(in_cache("snapshots")));
}

TEST_F(FetchRefusals, wrong_content_of_a_small_file) {
  server_.set_fault([](const ServedRequest& request, ServedAnswer answer) {
    if (request.target.ends_with("config.json")) answer.body = "[]\n";
    return answer;
  });
  expect_contains(refusal(), git_blob_of("{}\n"));
}

TEST_F(FetchRefusals, more_content_than_there_should_be) {
  const std::string all = weights();
  server_.set_far_fault([&](const ServedRequest&, ServedAnswer) { return ServedAnswer{.body = all + all}; });
  expect_contains(refusal(), "wrong content");
}

TEST_F(FetchRefusals, no_such_repository) {
  expect_contains(error_of([&] { fetch({.id = "owner/other"}, everything, options()); }),
                  "the hub has no model \"owner/other\"");
  EXPECT_EQ(server_.requests().size(), 1u) << "not tried again";
}

TEST_F(FetchRefusals, no_such_revision) {
  expect_contains(error_of([&] { get("v7"); }), "has no revision \"v7\"");
}

TEST_F(FetchRefusals, a_token_is_needed) {
  answer_all({.status = 401, .headers = {{"X-Error-Message", "Invalid\tcredentials"}}});
  const std::string message = refusal();
  expect_contains(message, "refuses the token");
  expect_contains(message, "Invalid credentials");
  HubOptions without = options();
  without.token = "";
  expect_contains(error_of([&] { fetch(model(), everything, without); }), "set HF_TOKEN");
  EXPECT_EQ(server_.requests().size(), 2u) << "not tried again";
  EXPECT_FALSE(server_.requests().back().has("authorization"));
}

TEST_F(FetchRefusals, access_is_restricted) {
  answer_all({.status = 403, .headers = {{"X-Error-Code", "GatedRepo"}}});
  const std::string message = refusal();
  expect_contains(message, "accept its conditions");
  expect_contains(message, server_.address() + "/api/models/owner/name/revision/main");
  EXPECT_EQ(server_.requests().size(), 1u);
}

TEST_F(FetchRefusals, a_file_that_is_not_given) {
  for (const int status : {401, 403, 404}) {
    server_.set_far_fault([=](const ServedRequest&, const ServedAnswer&) { return ServedAnswer{.status = status}; });
    const std::size_t before = server_.transfers("model.safetensors").size();
    expect_contains(refusal(), "answered " + std::to_string(status));
    EXPECT_EQ(server_.transfers("model.safetensors").size(), before + 1);
  }
}

TEST_F(FetchRefusals, an_answer_that_is_no_list) {
  for (const char* body : {"<html>log in</html>", R"({"sha": "cc)", "{}", ""}) {
    answer_all({.body = body});
    expect_contains(refusal(), "did not answer as a hub does");
  }
}

TEST_F(FetchRefusals, a_list_without_end) {
  answer_all({.body = std::string((std::size_t{64} << 20) + 1, ' ')});
  expect_contains(refusal(), "more than a list of files can be");
}

TEST_F(FetchRefusals, names_that_lead_out) {
  for (const std::string& name :
       {std::string("../evil.json"), std::string("/tmp/evil.json"), std::string("a/../../evil"), std::string("a//b"),
        std::string("a\\b"), std::string("a\0b", 3), std::string("."), std::string("a/")}) {
    SCOPED_TRACE(name);
    add_to_list(name);
    expect_contains(refusal(), "leads out of its folder");
    EXPECT_FALSE(fs::exists(scratch_.path("hub"))) << "nothing was begun";
  }
}

TEST_F(FetchRefusals, a_commit_that_leads_out) {
  server_.set_fault([](const ServedRequest&, ServedAnswer answer) {
    base::Json json = base::Json::parse(answer.body);
    json["sha"] = "../../../../x";
    answer.body = json.dump();
    return answer;
  });
  expect_contains(refusal(), "\"sha\" is no commit");
}

TEST_F(FetchRefusals, redirects_that_are_not_followed) {
  answer_all({.status = 302, .headers = {{"Location", "file:///etc/passwd"}}});
  expect_contains(refusal(), "an address that is not followed");
  answer_all({.status = 302, .headers = {{"Location", "/api/models/owner/name"}}});
  expect_contains(refusal(), "redirects without end");
}

TEST_F(FetchRefusals, nothing_that_is_wanted) {
  expect_contains(error_of([&] {
                    fetch(
                        model(), [](const std::string&) { return false; }, options());
                  }),
                  "has none of the files that are wanted");
}

TEST_F(FetchRefusals, a_token_or_an_endpoint_that_cannot_be) {
  HubOptions odd = options();
  odd.token = "secret\r\nX-Other: y";
  const std::string message = error_of([&] { fetch(model(), everything, odd); });
  expect_contains(message, "characters no token has");
  expect_lacks(message, "secret");
  odd = options();
  odd.endpoint = "ftp://host";
  expect_contains(error_of([&] { fetch(model(), everything, odd); }), "HF_ENDPOINT=ftp://host is no address");
}

}  // namespace
}  // namespace tritonrl::hub
