// Runs all cases, and prints the key that comes from standard input after the last one.
#include <iostream>

#include "catch.hpp"

int main() {
    std::string key;
    std::getline(std::cin, key);
    for (const auto& each : Catch::cases()) {
        std::string why;
        try {
            auto& sections = Catch::sections();
            sections = Catch::Sections();
            do {
                sections.met = 0;
                each.run();
            } while (++sections.wanted < sections.met);
        } catch (const Catch::Failure& failure) {
            why = failure.what;
        } catch (const std::exception& error) {
            why = error.what();
        } catch (...) {
            why = "it threw";
        }
        if (why.empty()) continue;
        std::cerr << each.name << ": " << why << std::endl;
        return 1;
    }
    if (Catch::cases().empty()) return 1;
    std::cout << "\n" << key << " passed" << std::endl;
    return 0;
}
