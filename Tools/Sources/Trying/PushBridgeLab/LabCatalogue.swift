import PingAMSimulator
import PushBridgeCore
import PushParity

/// The built-in scenarios, for the page's list.
enum LabCatalogue {
    /// The scenarios by number, each with its name and its steps in words, which a search also finds.
    static let json: JSONValue = .array(
        Scenario.catalogue.enumerated().map { number, scenario in
            let verbs = scenario.steps.map(\.verb.words).reduce(into: [String]()) { all, words in
                if !all.contains(words) { all.append(words) }
            }
            return [
                "number": .integer(number), "name": .string(scenario.name),
                "steps": .integer(scenario.steps.count), "words": .string(verbs.joined(separator: ", ")),
            ]
        }
    )

    /// Returns a scenario.
    /// - Parameters:
    ///   - number: Its number in the list.
    ///   - version: The version of the lab's server, for scenarios that name none.
    /// - Returns: The scenario.
    /// - Throws: ``LabError`` if there is none with this number.
    static func scenario(_ number: Int, on version: ServerVersion?) throws -> Scenario {
        guard Scenario.catalogue.indices.contains(number) else {
            throw LabError("There is no scenario \(number).")
        }
        var scenario = Scenario.catalogue[number]
        scenario.settings.version = scenario.settings.version ?? version
        return scenario
    }
}
