// The parts of Catch2 that tests of exercises use.
#pragma once
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace Catch {
struct Failure {
    std::string what;
};
struct Case {
    const char* name;
    void (*run)();
};
inline std::vector<Case>& cases() {
    static std::vector<Case> all;
    return all;
}
struct Registration {
    Registration(const char* name, const char*, void (*run)()) { cases().push_back({name, run}); }
    Registration(const char* name, void (*run)()) { cases().push_back({name, run}); }
};

// A case with sections runs once for each of its sections.
struct Sections {
    int wanted = 0;
    int met = 0;
    bool enter() { return met++ == wanted; }
};
inline Sections& sections() {
    static Sections all;
    return all;
}

struct Approx {
    double value;
    double part = 1e-5;
    double room = 0;
    explicit Approx(double wanted) : value(wanted) {}
    Approx& epsilon(double wanted) { part = wanted; return *this; }
    Approx& margin(double wanted) { room = wanted; return *this; }
    bool near(double found) const {
        return std::fabs(found - value) <= room || std::fabs(found - value) <= part * (1 + std::fabs(value));
    }
};
inline bool operator==(double found, const Approx& wanted) { return wanted.near(found); }
inline bool operator==(const Approx& wanted, double found) { return wanted.near(found); }

template <typename Value>
struct MatcherBase {
    virtual ~MatcherBase() = default;
    virtual bool match(Value const& value) const = 0;
    virtual std::string describe() const { return ""; }
};
namespace Matchers {
using Catch::MatcherBase;
struct Near {
    double value;
    double room;
    bool match(double found) const { return std::fabs(found - value) <= room; }
};
inline Near WithinAbs(double value, double room) { return {value, room}; }
inline Near WithinRel(double value, double part) { return {value, part * std::fabs(value)}; }
struct Same {
    std::string value;
    bool match(const std::string& found) const { return found == value; }
};
inline Same Equals(const std::string& value) { return {value}; }
struct Saying {
    std::string value;
    bool match(const std::exception& error) const { return value == error.what(); }
};
inline Saying Message(const std::string& value) { return {value}; }
}  // namespace Matchers
using Matchers::WithinAbs;

// The sides of a comparison. A number or a text equals numbers or texts only: no type of a solution decides that.
template <typename Value>
constexpr bool is_number = std::is_arithmetic_v<Value> || std::is_enum_v<Value>;
template <typename Value>
constexpr bool is_text = std::is_convertible_v<const Value&, std::string_view>;
template <typename Value>
struct Held { using type = void; };
template <typename Value>
struct Held<std::optional<Value>> { using type = Value; };

template <typename L, typename R>
bool same(const L& left, const R& right) {
    if constexpr (is_text<L> && is_text<R>) return std::string_view(left) == std::string_view(right);
    else if constexpr (is_number<L> && is_number<R>) return left == right;
    else if constexpr (std::is_same_v<L, Approx> || std::is_same_v<R, Approx>) return left == right;
    else if constexpr (!std::is_void_v<typename Held<L>::type> && (is_number<R> || is_text<R>))
        return left.has_value() && same(*left, right);
    else if constexpr (is_number<R> || is_text<R>) return false;
    else return left == right;
}

template <typename L>
struct Left {
    const L& left;
    template <typename R> bool operator==(const R& right) const { return same(left, right); }
    template <typename R> bool operator!=(const R& right) const { return left != right; }
    template <typename R> bool operator<(const R& right) const { return left < right; }
    template <typename R> bool operator>(const R& right) const { return left > right; }
    template <typename R> bool operator<=(const R& right) const { return left <= right; }
    template <typename R> bool operator>=(const R& right) const { return left >= right; }
    explicit operator bool() const { return static_cast<bool>(left); }
};
struct Decomposer {
    template <typename L> Left<L> operator<=(const L& left) const { return {left}; }
};
}  // namespace Catch
using Catch::Approx;

#define CATCH_JOIN2(a, b) a##b
#define CATCH_JOIN(a, b) CATCH_JOIN2(a, b)
#define CATCH_CASE(name, ...)                                                       \
    static void name();                                                             \
    static Catch::Registration CATCH_JOIN(name, _registered)(__VA_ARGS__, &name);   \
    static void name()
#define TEST_CASE(...) CATCH_CASE(CATCH_JOIN(catch_case_, __LINE__), __VA_ARGS__)
#define SECTION(...) if (Catch::sections().enter())
#define CATCH_FAIL(text) throw Catch::Failure { text }
#define REQUIRE(...)                                      \
    do {                                                  \
        if (!static_cast<bool>(Catch::Decomposer() <= __VA_ARGS__)) CATCH_FAIL(#__VA_ARGS__); \
    } while (false)
#define REQUIRE_FALSE(...) REQUIRE(!(__VA_ARGS__))
#define REQUIRE_NOTHROW(...) \
    do {                     \
        __VA_ARGS__;         \
    } while (false)
#define REQUIRE_THROWS(...)                                                \
    do {                                                                   \
        bool thrown = false;                                               \
        try { static_cast<void>(__VA_ARGS__); } catch (...) { thrown = true; }  \
        if (!thrown) CATCH_FAIL(#__VA_ARGS__);                             \
    } while (false)
#define REQUIRE_THROWS_AS(expression, kind)                                           \
    do {                                                                              \
        bool thrown = false;                                                          \
        try { static_cast<void>(expression); } catch (kind const&) { thrown = true; } \
        if (!thrown) CATCH_FAIL(#expression);                                         \
    } while (false)
#define REQUIRE_THROWS_WITH(expression, text)                                                     \
    do {                                                                                          \
        bool thrown = false;                                                                      \
        try { static_cast<void>(expression); }                                                    \
        catch (std::exception const& error) { thrown = std::string(error.what()) == (text); }     \
        if (!thrown) CATCH_FAIL(#expression);                                                     \
    } while (false)
#define REQUIRE_THROWS_MATCHES(expression, kind, matcher)                                \
    do {                                                                                 \
        bool thrown = false;                                                             \
        try { static_cast<void>(expression); }                                           \
        catch (kind const& error) { thrown = (matcher).match(error); }                   \
        if (!thrown) CATCH_FAIL(#expression);                                            \
    } while (false)
#define REQUIRE_THAT(value, matcher)                             \
    do {                                                         \
        if (!(matcher).match(value)) CATCH_FAIL(#value);         \
    } while (false)
#define CHECK REQUIRE
#define CHECK_FALSE REQUIRE_FALSE
#define CHECK_THAT REQUIRE_THAT
#define CHECK_THROWS_AS REQUIRE_THROWS_AS
#define CHECK_NOTHROW REQUIRE_NOTHROW
#define CATCH_REGISTER_ENUM(...)
#define INFO(...) static_cast<void>(0)
#define CAPTURE(...) static_cast<void>(0)
