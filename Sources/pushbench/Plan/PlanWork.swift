import LoadPlan
import Planner
import Report

/// Makes a profile into a campaign and answers.
enum PlanWork {
    static func answer(_ profile: Profile, file: String) throws(CommandFailure) -> PlanAnswer {
        let campaign: Campaign
        do throws(BrokenRule) {
            campaign = try Campaign(profile)
        } catch {
            throw CommandFailure("\(file): \(error.path) \(error.message)")
        }
        return Planner.answer(campaign)
    }
}

/// A solution in words.
enum PlanSolution {
    static func described(_ solution: Solver.Solution) -> PlanFiles.Solved {
        let (value, unit, sentence) = words(solution)
        return PlanFiles.Solved(
            goal: solution.goal.rawValue,
            value: value,
            unit: unit,
            sentence: sentence + " (\(solution.simulations) simulations)"
        )
    }

    private static func words(_ solution: Solver.Solution) -> (UInt64, String, String) {
        let (value, text) = (solution.value, HumanUnits.count(solution.value))
        switch solution.goal {
        case .rate: return (value, "pushes/s", "the highest rate at which nothing is refused or piles up: \(text)/s")
        case .devices: return (value, "pushes", "the most that are answered by the deadline: \(text)")
        case .deadline:
            return (value, "ns", "the deadline that is kept in all simulations: \(HumanUnits.duration(Int64(value)))")
        case .connections: return (value, "connections", "the fewest connections of \(solution.lane): \(text)")
        case .quota:
            return (value, "messages", "the least quota at which nothing is refused: \(text) in each window")
        }
    }
}
