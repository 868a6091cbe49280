extension LifeReport {
    /// Searches for a shorter life with the same kind of complaint.
    ///
    /// A life without a complaint is returned unchanged.
    package func shrunk(ignoring ignored: Set<Complaint.Kind> = []) -> LifeReport {
        guard let complaint else { return self }
        var best = self
        func take(_ setup: Setup, _ steps: [Step]) -> Bool {
            let report = Life.replay(setup, steps, ignoring: ignored)
            guard report.complaint?.kind == complaint.kind else { return false }
            best = report
            return true
        }
        var isShorter = true
        while isShorter {
            isShorter = false
            // The search first removes halves, then quarters, and finally single steps.
            var size = max(1, best.steps.count / 2)
            while true {
                var start = best.steps.count - size
                while start > -size {
                    var steps = best.steps
                    steps.removeSubrange(max(0, start)..<min(steps.count, start + size))
                    if take(best.setup, steps) { isShorter = true }
                    start -= size
                }
                if size == 1 { break }
                size /= 2
            }
            for index in best.steps.indices {
                for number in best.steps[index].disturbances.indices.reversed() {
                    var steps = best.steps
                    steps[index].disturbances.remove(at: number)
                    if take(best.setup, steps) { isShorter = true }
                }
                for simpler in best.steps[index].simpler {
                    var steps = best.steps
                    steps[index] = simpler
                    if take(best.setup, steps) { isShorter = true }
                }
            }
            if best.setup.store != .memory, best.setup.later != .memory {
                var setup = best.setup
                setup.store = .memory
                if take(setup, best.steps) { isShorter = true }
            }
        }
        return best
    }

    /// The store, the steps and the complaint of the life, as one line of text.
    package var story: String {
        let steps = steps.map(\.story).joined(separator: "; ")
        return "\(setup.store) store: \(steps): \(complaint?.text ?? "nothing is wrong")"
    }
}

extension Step {
    /// The steps that the search tries in place of this step.
    ///
    /// Each of them is simpler in one respect, so that the search ends.
    fileprivate var simpler: [Step] {
        var simpler: [Step] = []
        for index in disturbances.indices {
            if case .killAfter = disturbances[index].what {
                var step = self
                step.disturbances[index].what = .killBefore
                simpler.append(step)
            }
            if case .fault(let status) = disturbances[index].what, status != -50 {
                var step = self
                step.disturbances[index].what = .fault(-50)
                simpler.append(step)
            }
        }
        if let meanwhile {
            simpler.append(Step(action, disturbances))
            simpler.append(Step(meanwhile.action, meanwhile.disturbances))
            for index in meanwhile.disturbances.indices {
                var step = self
                step.meanwhile?.disturbances.remove(at: index)
                simpler.append(step)
            }
            if meanwhile.slices.count > 1 {
                var step = self
                step.meanwhile?.slices.removeLast()
                simpler.append(step)
            }
            return simpler
        }
        switch action {
        case .refuse(let slot, let status) where status != -50: simpler.append(Step(.refuse(slot, -50)))
        case .start(.helper): simpler.append(Step(.start(.app), disturbances))
        case .look(.helper): simpler.append(Step(.look(.app), disturbances))
        case .move(.helper): simpler.append(Step(.move(.app), disturbances))
        case .blind(.helper): simpler.append(Step(.blind(.app)))
        case .enrol(.helper, let slot): simpler.append(Step(.enrol(.app, slot), disturbances))
        case .restore(false): simpler.append(Step(.restore(withKeychain: true)))
        case .release(.openGate), .release(.closedGate): simpler.append(Step(.release(.inPlace)))
        case .calm(.move), .calm(.moveBack): simpler.append(Step(.calm(.stay)))
        default: break
        }
        return simpler
    }
}
