#include "machine/arithmetic/libdevice.h"

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <sstream>

#include "machine/arithmetic/libdevice_functions.h"
#include "tests/machine/elementwise_call.h"
#include "tests/paths.h"

namespace tritonrl::machine {
namespace {

Scalar scalar_named(const std::string& name) {
  static const std::map<std::string, Scalar> names = {
      {"i32", Scalar::kI32}, {"i64", Scalar::kI64}, {"f32", Scalar::kF32}, {"f64", Scalar::kF64}};
  return names.at(name);
}

TEST(Libdevice, HasEveryFunctionThatTritonExposes) {
  std::ifstream file(source_path("tests/machine/libdevice_symbols.txt"));
  ASSERT_TRUE(file.good());
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string symbol, word;
    words >> symbol >> word;
    const Scalar out = scalar_named(word);
    std::vector<Elements> in;
    // Some numbers and some nonsense: nothing may trap or hang.
    while (words >> word) {
      Elements operand{scalar_named(word), {}};
      for (const int value : {0, 1, 0x3f, 0x7f, 0x80, 0xff}) {
        operand.bytes.insert(operand.bytes.end(), static_cast<std::size_t>(size_of(operand.scalar)),
                             static_cast<unsigned char>(value));
      }
      in.push_back(operand);
    }
    EXPECT_FALSE(run(external(symbol), in, out).bytes.empty()) << line;
    ++count;
  }
  EXPECT_EQ(count, 313);
}

TEST(Libdevice, RefusesOtherTypesAndSymbols) {
  EXPECT_EQ(find(external("__nv_expf"), {Scalar::kF64}, Scalar::kF64).run, nullptr);
  EXPECT_EQ(find(external("__nv_expf"), {Scalar::kF32, Scalar::kF32}, Scalar::kF32).run, nullptr);
  EXPECT_EQ(find(external("__nv_expf"), {Scalar::kF32}, Scalar::kF64).run, nullptr);
  EXPECT_EQ(find(external("system"), {Scalar::kF32}, Scalar::kF32).run, nullptr);
}

struct RealCase {
  const char* name;
  double x, want;
};

// Calculated with forty digits.
const RealCase kRealCases[] = {
    {"erfinv", 1e-20, 8.86226925452757965e-21},
    {"erfinv", 0.1, 0.088855990494257692},
    {"erfinv", -0.3, -0.272462714726754345},
    {"erfinv", 0.49, 0.465868600235057337},
    {"erfinv", 0.5, 0.476936276204469873},
    {"erfinv", 0.75, 0.813419847597618542},
    {"erfinv", 0.999, 2.32675376551352449},
    {"erfinv", -0.9999999, -3.76656258163847089},
    {"erfinv", 0.9999999999999991, 5.68612844131039098},
    {"erfcinv", 1e-300, 26.2094699605161239},
    {"erfcinv", 1e-100, 15.0655747025926457},
    {"erfcinv", 1e-30, 8.1486162231698646},
    {"erfcinv", 1e-10, 4.57282496738948527},
    {"erfcinv", 0.001, 2.32675376551352467},
    {"erfcinv", 0.1, 1.16308715367667407},
    {"erfcinv", 0.4, 0.595116081449994822},
    {"erfcinv", 0.41, 0.582580772988796565},
    {"erfcinv", 0.5, 0.476936276204469873},
    {"erfcinv", 0.75, 0.225312055012178105},
    {"erfcinv", 1.0, 0.0},
    {"erfcinv", 1.5, -0.476936276204469873},
    {"erfcinv", 1.99, -1.82138636771844946},
    {"erfcx", -5.0, 144009798674.66104},
    {"erfcx", -1.0, 5.00898008076228347},
    {"erfcx", 0.0, 1.0},
    {"erfcx", 0.3, 0.73459933456765515},
    {"erfcx", 2.0, 0.255395676310505744},
    {"erfcx", 5.5, 0.100962218399499088},
    {"erfcx", 9.99, 0.0561966407068588202},
    {"erfcx", 10.0, 0.0561409927438225859},
    {"erfcx", 26.5, 0.021275046685371106},
    {"erfcx", 100.0, 0.0056416137829894329},
    {"erfcx", 1000000.0, 5.64189583547474192e-7},
    {"normcdf", -38.0, 2.88542836006878431e-316},
    {"normcdf", -37.123, 5.97888449523391884e-302},
    {"normcdf", -20.0, 2.7536241186062337e-89},
    {"normcdf", -5.5, 1.89895624658877194e-8},
    {"normcdf", -1.0, 0.158655253931457051},
    {"normcdf", -0.1, 0.460172162722971016},
    {"normcdf", 0.0, 0.5},
    {"normcdf", 0.7, 0.758036347776926971},
    {"normcdf", 3.0, 0.998650101968369905},
    {"normcdf", 8.5, 0.999999999999999991},
    {"normcdfinv", 1e-300, -37.0470962993611992},
    {"normcdfinv", 1e-20, -9.26234008979840758},
    {"normcdfinv", 0.001, -3.09023230616781354},
    {"normcdfinv", 0.2, -0.841621233572914166},
    {"normcdfinv", 0.5, 0.0},
    {"normcdfinv", 0.6, 0.253347103135799741},
    {"normcdfinv", 0.99, 2.32634787404084077},
    {"cyl_bessel_i0", 0.0, 1.0},
    {"cyl_bessel_i0", 0.5, 1.06348337074132352},
    {"cyl_bessel_i0", -3.0, 4.88079258586502409},
    {"cyl_bessel_i0", 10.0, 2815.71662846625447},
    {"cyl_bessel_i0", 29.9, 708478330489.014526},
    {"cyl_bessel_i0", 30.0, 781672297823.97749},
    {"cyl_bessel_i0", 100.0, 1.07375170713107382e+42},
    {"cyl_bessel_i0", -700.0, 1.52959334767187374e+302},
    {"cyl_bessel_i1", 0.0, 0.0},
    {"cyl_bessel_i1", 0.5, 0.257894305390896316},
    {"cyl_bessel_i1", -3.0, -3.9533702174026094},
    {"cyl_bessel_i1", 10.0, 2670.98830370125465},
    {"cyl_bessel_i1", 29.9, 696528308361.092694},
    {"cyl_bessel_i1", 30.0, 768532038938.956999},
    {"cyl_bessel_i1", 100.0, 1.06836939033816248e+42},
    {"cyl_bessel_i1", -700.0, -1.52850039023390069e+302},
    {"j0", 0.0, 1.0},
    {"j0", 1.0, 0.765197686557966551},
    {"j0", 5.0, -0.177596771314338304},
    {"j0", 30.0, -0.0863679835810402113},
    {"j1", 0.5, 0.242268457674873886},
    {"j1", 1.0, 0.440050585744933516},
    {"j1", 5.0, -0.327579137591465222},
    {"j1", 30.0, -0.118751062616622937},
    {"y0", 0.5, -0.444518733506706557},
    {"y0", 1.0, 0.088256964215676958},
    {"y0", 5.0, -0.30851762524903378},
    {"y0", 30.0, -0.117295731686664025},
    {"y1", 0.5, -1.47147239267024307},
    {"y1", 1.0, -0.781212821300288717},
    {"y1", 5.0, 0.147863143391226845},
    {"y1", 30.0, 0.0844255706617472349},
    {"lgamma", 0.5, 0.572364942924700087},
    {"lgamma", 3.5, 1.20097360234707422},
    {"lgamma", 100.0, 359.134205369575399},
    {"lgamma", -2.5, -0.0562437164976740507},
    {"tgamma", 0.5, 1.77245385090551603},
    {"tgamma", 3.5, 3.32335097044784255},
    {"tgamma", 20.0, 121645100408832000.0},
    {"tgamma", -2.5, -0.945308720482941881},
    {"sinpi", 0.25, 0.707106781186547524},
    {"sinpi", 0.5, 1.0},
    {"sinpi", 1.3, -0.809016994374947506},
    {"sinpi", -2.75, -0.707106781186547524},
    {"sinpi", 1000000.5, 1.0},
    {"cospi", 0.25, 0.707106781186547524},
    {"cospi", 0.5, 0.0},
    {"cospi", 1.3, -0.587785252292473016},
    {"cospi", -2.75, -0.707106781186547524},
    {"cospi", 1000000.5, 0.0},
    {"cospi", 0.1, 0.951056516295153567},
    {"exp10", -3.5, 0.000316227766016837933},
    {"exp10", 0.0, 1.0},
    {"exp10", 2.0, 100.0},
    {"exp10", 7.25, 17782794.100389228},
    {"rcbrt", 0.001, 9.99999999999999993},
    {"rcbrt", 2.0, 0.793700525984099737},
    {"rcbrt", 27.0, 0.333333333333333333},
};

TEST(Libdevice, FunctionsOfDoubles) {
  for (const RealCase& test : kRealCases) {
    const Elements got =
        run(external(std::string("__nv_") + test.name), {elements(Scalar::kF64, std::vector{test.x})}, Scalar::kF64);
    EXPECT_NEAR(got.at<double>(0), test.want, std::fabs(test.want) * 3e-15 + 1e-305)
        << test.name << "(" << test.x << ")";
  }
}

TEST(Libdevice, FunctionsOfFloats) {
  for (const RealCase& test : kRealCases) {
    const float x = static_cast<float>(test.x);
    if (static_cast<double>(x) != test.x) continue;
    const Elements got =
        run(external(std::string("__nv_") + test.name + "f"), {elements(Scalar::kF32, std::vector{x})}, Scalar::kF32);
    EXPECT_FLOAT_EQ(got.at<float>(0), static_cast<float>(test.want)) << test.name << "(" << test.x << ")";
  }
}

TEST(Libdevice, InversesComeBack) {
  for (double y = -5; y <= 5; y += 0.01) {
    if (std::fabs(y) < 3.5) {
      EXPECT_NEAR(erfinv(std::erf(y)), y, 1e-15 + std::exp(y * y) * 3e-16) << y;
    }
    EXPECT_NEAR(erfcinv(std::erfc(y)), y, 1e-14 + (y < 0 ? std::exp(y * y) * 3e-16 : 0)) << y;
  }
}

TEST(Libdevice, EndsOfDomains) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const RealCase cases[] = {{"erfinv", 1, inf},
                            {"erfinv", -1, -inf},
                            {"erfinv", 1.5, nan},
                            {"erfcinv", 0, inf},
                            {"erfcinv", 2, -inf},
                            {"erfcinv", -1, nan},
                            {"normcdfinv", 0, -inf},
                            {"normcdfinv", 1, inf},
                            {"normcdf", -inf, 0},
                            {"normcdf", inf, 1},
                            {"erfcx", inf, 0},
                            {"erfcx", -inf, inf},
                            {"cyl_bessel_i0", -inf, inf},
                            {"cyl_bessel_i1", -inf, -inf},
                            {"sinpi", inf, nan},
                            {"cospi", inf, nan},
                            {"sinpi", 1, 0},
                            {"y0", 0, -inf},
                            {"y0", -1, nan},
                            {"lgamma", -inf, inf},
                            {"logb", 0, -inf},
                            {"logb", 10, 3},
                            {"cbrt", -8, -2},
                            {"rint", 2.5, 2},
                            {"round", 2.5, 3},
                            {"round", -2.5, -3}};
  for (const RealCase& test : cases) {
    const double got =
        run(external(std::string("__nv_") + test.name), {elements(Scalar::kF64, std::vector{test.x})}, Scalar::kF64)
            .at<double>(0);
    if (std::isnan(test.want)) {
      EXPECT_TRUE(std::isnan(got)) << test.name << "(" << test.x << ") = " << got;
    } else {
      EXPECT_EQ(got, test.want) << test.name << "(" << test.x << ")";
    }
  }
}

TEST(Libdevice, LargeOrdersDoNotHang) {
  const Elements n = elements(Scalar::kI32, std::vector<std::int32_t>{2'000'000'000, -1, 2});
  const Elements x = elements(Scalar::kF32, std::vector<float>{1e30f, 1, 1.5f});
  for (const char* symbol : {"__nv_jnf", "__nv_ynf"}) {
    const Elements got = run(external(symbol), {n, x}, Scalar::kF32);
    EXPECT_TRUE(std::isnan(got.at<float>(0)));
    EXPECT_TRUE(std::isnan(got.at<float>(1)));
    EXPECT_TRUE(std::isfinite(got.at<float>(2)));
  }
}

struct IntegerCase {
  const char* symbol;
  std::vector<std::int64_t> in;
  std::int64_t want;
  bool wide = false;  // 64-bit operands
  bool wide_result = false;
};

TEST(Libdevice, Integers) {
  const IntegerCase cases[] = {
      {"__nv_clz", {1}, 31},
      {"__nv_clz", {0}, 32},
      {"__nv_clzll", {1}, 63, true},
      {"__nv_popc", {-1}, 32},
      {"__nv_popcll", {-1}, 64, true},
      {"__nv_ffs", {0}, 0},
      {"__nv_ffs", {8}, 4},
      {"__nv_ffsll", {std::int64_t{1} << 40}, 41, true},
      {"__nv_brev", {0x12345678}, 0x1e6a2c48},
      {"__nv_brevll", {0x12345678}, 0x1e6a2c4800000000, true, true},
      {"__nv_byte_perm", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
      {"__nv_byte_perm", {0x00008000, 0, 0x0009}, 0x000000ff},
      {"__nv_mulhi", {-2, 3}, -1},
      {"__nv_umulhi", {-2, 3}, 2},
      {"__nv_mul64hi", {-2, 3}, -1, true, true},
      {"__nv_umul64hi", {-2, 3}, 2, true, true},
      {"__nv_mul24", {-3, 5}, -15},
      {"__nv_mul24", {0x01000003, 5}, 15},
      {"__nv_umul24", {0x01000003, 5}, 15},
      {"__nv_umul24", {-1, 2}, 0x01fffffe},
      {"__nv_sad", {-5, 7, 100}, 112},
      {"__nv_usad", {-5, 7, 100}, 88},  // 4294967291 - 7 + 100, wrapped
      {"__nv_abs", {-7}, 7},
      {"__nv_llabs", {-7}, 7, true, true},
      {"__nv_hadd", {-3, -4}, -4},
      {"__nv_uhadd", {-1, -3}, -2},
      {"__nv_rhadd", {-3, -4}, -3},
      {"__nv_urhadd", {-1, -2}, -1},
      {"__nv_max", {-1, 2}, 2},
      {"__nv_umax", {-1, 2}, -1},
  };
  for (const IntegerCase& test : cases) {
    std::vector<Elements> in;
    for (const std::int64_t value : test.in) {
      in.push_back(test.wide ? elements(Scalar::kI64, std::vector{value})
                             : elements(Scalar::kI32, std::vector{static_cast<std::int32_t>(value)}));
    }
    const Elements got = run(external(test.symbol), in, test.wide_result ? Scalar::kI64 : Scalar::kI32);
    ASSERT_FALSE(got.bytes.empty()) << test.symbol;
    EXPECT_EQ(test.wide_result ? got.at<std::int64_t>(0) : got.at<std::int32_t>(0), test.want) << test.symbol;
  }
}

TEST(Libdevice, ConversionsGoTheNamedWay) {
  const std::vector<float> x = {2.5f, -2.5f, 3.5f, 1e20f, -1e20f, std::numeric_limits<float>::quiet_NaN()};
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max(),
                         kMin = std::numeric_limits<std::int32_t>::min();
  const std::pair<const char*, std::vector<std::int32_t>> cases[] = {
      {"__nv_float2int_rn", {2, -2, 4, kMax, kMin, 0}}, {"__nv_float2int_rz", {2, -2, 3, kMax, kMin, 0}},
      {"__nv_float2int_rd", {2, -3, 3, kMax, kMin, 0}}, {"__nv_float2int_ru", {3, -2, 4, kMax, kMin, 0}},
      {"__nv_float2uint_ru", {3, 0, 4, -1, 0, 0}},
  };
  for (const auto& [symbol, want] : cases) {
    const Elements got = run(external(symbol), {elements(Scalar::kF32, x)}, Scalar::kI32);
    for (std::size_t i = 0; i < x.size(); ++i) {
      EXPECT_EQ(got.at<std::int32_t>(static_cast<std::int64_t>(i)), want[i]) << symbol << " " << x[i];
    }
  }
  EXPECT_EQ(run(external("__nv_llroundf"), {elements(Scalar::kF32, x)}, Scalar::kI64).at<std::int64_t>(1), -3);
  const Elements words =
      run(external("__nv_hiloint2double"),
          {elements(Scalar::kI32, std::vector{0x3ff00000}), elements(Scalar::kI32, std::vector{0})}, Scalar::kF64);
  EXPECT_EQ(words.at<double>(0), 1.0);
}

// Downwards and upwards enclose the exact result and are neighbours unless it is a float itself.
TEST(Libdevice, DirectedRoundings) {
  std::mt19937 random(9);
  std::vector<float> a, b;
  std::uniform_real_distribution<float> range(-4, 4);
  for (int i = 0; i < 1000; ++i) a.push_back(range(random)), b.push_back(range(random) / 30);
  const std::pair<const char*, double (*)(double, double)> operations[] = {
      {"__nv_fadd", [](double x, double y) { return x + y; }},
      {"__nv_fsub", [](double x, double y) { return x - y; }},
      {"__nv_fmul", [](double x, double y) { return x * y; }},
      {"__nv_fdiv", [](double x, double y) { return x / y; }},
  };
  const Elements x = elements(Scalar::kF32, a), y = elements(Scalar::kF32, b);
  for (const auto& [name, exact] : operations) {
    const auto result = [&](const char* mode) { return run(external(std::string(name) + mode), {x, y}, Scalar::kF32); };
    const Elements down = result("_rd"), up = result("_ru"), zero = result("_rz"), nearest = result("_rn");
    int inexact = 0;
    for (std::int64_t i = 0; i < x.count(); ++i) {
      const double want = exact(x.at<float>(i), y.at<float>(i));
      const float low = down.at<float>(i), high = up.at<float>(i);
      ASSERT_LE(low, want) << name;
      ASSERT_GE(high, want) << name;
      if (low != high) {
        ASSERT_EQ(std::nextafter(low, INFINITY), high);
        ++inexact;
      }
      ASSERT_EQ(zero.at<float>(i), want > 0 ? low : high);
      ASSERT_EQ(nearest.at<float>(i), static_cast<float>(want));
    }
    EXPECT_GT(inexact, 500) << name;
  }
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(Libdevice, DirectedConversions) {
  const std::int64_t n = (std::int64_t{1} << 53) + 1;
  const Elements x = elements(Scalar::kI64, std::vector{n, -n});
  const auto convert = [&](const char* symbol, std::int64_t i) {
    return run(external(symbol), {x}, Scalar::kF64).at<double>(i);
  };
  EXPECT_EQ(convert("__nv_ll2double_rd", 0), 9007199254740992.0);
  EXPECT_EQ(convert("__nv_ll2double_ru", 0), 9007199254740994.0);
  EXPECT_EQ(convert("__nv_ll2double_rz", 1), -9007199254740992.0);
  EXPECT_EQ(convert("__nv_ll2double_rd", 1), -9007199254740994.0);
  const Elements u = elements(Scalar::kI32, std::vector<std::int32_t>{-1, -1, -1, -1, -1, -1, -1, -1, -1});
  EXPECT_EQ(run(external("__nv_uint2float_rz"), {u}, Scalar::kF32).at<float>(8), 4294967040.0f);
  EXPECT_EQ(run(external("__nv_uint2float_ru"), {u}, Scalar::kF32).at<float>(0), 4294967296.0f);
  const Elements d = elements(Scalar::kF64, std::vector{0.1});
  EXPECT_LT(run(external("__nv_double2float_rd"), {d}, Scalar::kF32).at<float>(0), 0.1);
  EXPECT_GT(run(external("__nv_double2float_ru"), {d}, Scalar::kF32).at<float>(0), 0.1);
}

}  // namespace
}  // namespace tritonrl::machine
