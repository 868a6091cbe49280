/// What `rehearse` without a database says.
struct LifeRehearsalReport: Encodable {
    var schema = 1
    var command = "rehearse"
    let service: String
    let steps: [Step]

    /// One step and what came of it.
    struct Step: Encodable {
        let step: String
        /// The requests, in words.
        let sent: [String]
        let server: String
        let isRight: Bool
    }

    /// The status to end with.
    var status: ExitStatus { steps.allSatisfy(\.isRight) ? .success : .needsAttention }

    /// The report for a terminal.
    var text: String {
        var table = Table(("Step", .left), ("Sent", .left), ("Server says", .left))
        for step in steps {
            let sent = step.sent.isEmpty ? "nothing" : step.sent.joined(separator: "; ")
            table.add(step.step, sent, step.isRight ? step.server : "\(step.server) (wrong)")
        }
        let wrong = steps.filter { !$0.isRight }.count
        return """
            rehearse: a made-up account at \(service)

            \(table.text)
            \(wrong == 0 ? "Every step went as it should." : "\(wrong) of \(steps.count) steps went wrong.")

            """
    }
}
