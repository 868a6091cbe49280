import PingAMSimulator
import PushBridgeCore
import PushParity

/// The built-in scenarios in the page's list.
enum LabCatalogue {
    /// The scenarios by number.
    ///
    /// Each entry has the scenario's name, its steps in words, and its values, so that a search can find all three.
    static let json: JSONValue = .array(
        Scenario.catalogue.enumerated().map { number, scenario in
            let verbs = scenario.steps.map(\.verb.words).reduce(into: [String]()) { all, words in
                if !all.contains(words) { all.append(words) }
            }
            return [
                "number": .integer(number), "name": .string(scenario.name),
                "steps": .integer(scenario.steps.count), "words": .string(verbs.joined(separator: ", ")),
                "values": .string(values(of: scenario).joined(separator: " ")),
            ]
        }
    )

    /// Returns the strings and numbers in a scenario's file, for example push types, faults, and the numbers of
    /// challenges.
    private static func values(of scenario: Scenario) -> [String] {
        func collect(_ value: JSONValue) -> [String] {
            switch value {
            case .array(let elements): elements.flatMap(collect)
            case .object(let members): members.sorted { $0.key < $1.key }.flatMap { collect($0.value) }
            case .null, .bool: []
            case .string(let text): [text]
            case .integer, .number: [value.text]
            }
        }
        do {
            guard let file = JSONValue(json: try scenario.file) else { return [] }
            return Array(Set(collect(file))).sorted()
        } catch {
            // Even without these values, a search can find the scenario by its name and its steps.
            return []
        }
    }

    /// Returns a built-in scenario.
    /// - Parameters:
    ///   - number: The number of the scenario in the list.
    ///   - version: The version of the lab's server. It is used for a scenario that names no version.
    /// - Returns: The scenario.
    /// - Throws: ``LabError`` if no scenario has this number.
    static func scenario(_ number: Int, on version: ServerVersion?) throws -> Scenario {
        guard Scenario.catalogue.indices.contains(number) else {
            throw LabError("There is no scenario \(number).")
        }
        var scenario = Scenario.catalogue[number]
        scenario.settings.version = scenario.settings.version ?? version
        return scenario
    }
}
